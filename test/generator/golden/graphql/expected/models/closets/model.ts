// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "closets",
  typeName: "Closets",
  table: "closets",
  slug: "closets",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    name: { kind: "string", nullable: true },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

/** Nobody fetches it, so that no join leads to it. */
export interface ClosetsRow {
  id: number;
  name: string | null;
  created_at: string;
  updated_at: string;
}

export interface ClosetsCreate {
  name?: string | null;
}

export type ClosetsUpdate = Partial<ClosetsCreate>;
export type ClosetsUpsert = ClosetsCreate & { id?: number };
export type ClosetsWhere = Where<typeof model>;
export type ClosetsOrder = OrderBy<typeof model>;
export type ClosetsSelection = Selection<typeof model>;

export interface ClosetsTypes {
  row: ClosetsRow;
  create: ClosetsCreate;
  update: ClosetsUpdate;
  upsert: ClosetsUpsert;
  where: ClosetsWhere;
  order: ClosetsOrder;
  selection: ClosetsSelection;
}

export type ClosetsHooks = Hooks<ClosetsTypes>;
