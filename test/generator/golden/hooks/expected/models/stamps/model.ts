// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "stamps",
  typeName: "Stamps",
  table: "stamps",
  slug: "stamps",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    title: { kind: "string" },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

export interface StampsRow {
  id: number;
  title: string;
  created_at: string;
  updated_at: string;
}

export interface StampsCreate {
  title: string;
}

export type StampsUpdate = Partial<StampsCreate>;
export type StampsUpsert = StampsCreate & { id?: number };
export type StampsWhere = Where<typeof model>;
export type StampsOrder = OrderBy<typeof model>;
export type StampsSelection = Selection<typeof model>;

export interface StampsTypes {
  row: StampsRow;
  create: StampsCreate;
  update: StampsUpdate;
  upsert: StampsUpsert;
  where: StampsWhere;
  order: StampsOrder;
  selection: StampsSelection;
}

export type StampsHooks = Hooks<StampsTypes>;
