// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "unlimited",
  typeName: "Unlimited",
  table: "unlimited",
  slug: "unlimited",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    title: { kind: "string", nullable: true },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

export interface UnlimitedRow {
  id: number;
  title: string | null;
  created_at: string;
  updated_at: string;
}

export interface UnlimitedCreate {
  title?: string | null;
}

export type UnlimitedUpdate = Partial<UnlimitedCreate>;
export type UnlimitedUpsert = UnlimitedCreate & { id?: number };
export type UnlimitedWhere = Where<typeof model>;
export type UnlimitedOrder = OrderBy<typeof model>;
export type UnlimitedSelection = Selection<typeof model>;

export interface UnlimitedTypes {
  row: UnlimitedRow;
  create: UnlimitedCreate;
  update: UnlimitedUpdate;
  upsert: UnlimitedUpsert;
  where: UnlimitedWhere;
  order: UnlimitedOrder;
  selection: UnlimitedSelection;
}

export type UnlimitedHooks = Hooks<UnlimitedTypes>;
