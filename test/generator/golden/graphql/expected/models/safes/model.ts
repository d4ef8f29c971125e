// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "safes",
  typeName: "Safes",
  table: "safes",
  slug: "safes",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    code: { kind: "string", nullable: true },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

/** Nobody reads it, so that no join leads to it. */
export interface SafesRow {
  id: number;
  code: string | null;
  created_at: string;
  updated_at: string;
}

export interface SafesCreate {
  code?: string | null;
}

export type SafesUpdate = Partial<SafesCreate>;
export type SafesUpsert = SafesCreate & { id?: number };
export type SafesWhere = Where<typeof model>;
export type SafesOrder = OrderBy<typeof model>;
export type SafesSelection = Selection<typeof model>;

export interface SafesTypes {
  row: SafesRow;
  create: SafesCreate;
  update: SafesUpdate;
  upsert: SafesUpsert;
  where: SafesWhere;
  order: SafesOrder;
  selection: SafesSelection;
}

export type SafesHooks = Hooks<SafesTypes>;
