// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "flat",
  typeName: "Flat",
  table: "flat",
  slug: "flat-ones",
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

export interface FlatRow {
  id: number;
  title: string | null;
  created_at: string;
  updated_at: string;
}

export interface FlatCreate {
  title?: string | null;
}

export type FlatUpdate = Partial<FlatCreate>;
export type FlatUpsert = FlatCreate & { id?: number };
export type FlatWhere = Where<typeof model>;
export type FlatOrder = OrderBy<typeof model>;
export type FlatSelection = Selection<typeof model>;

export interface FlatTypes {
  row: FlatRow;
  create: FlatCreate;
  update: FlatUpdate;
  upsert: FlatUpsert;
  where: FlatWhere;
  order: FlatOrder;
  selection: FlatSelection;
}

export type FlatHooks = Hooks<FlatTypes>;
