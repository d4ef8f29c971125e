// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type Json, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "json",
  typeName: "Json",
  table: "json",
  slug: "json",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    data: { kind: "json", nullable: true },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

export interface JsonRow {
  id: number;
  data: Json;
  created_at: string;
  updated_at: string;
}

export interface JsonCreate {
  data?: Json;
}

export type JsonUpdate = Partial<JsonCreate>;
export type JsonUpsert = JsonCreate & { id?: number };
export type JsonWhere = Where<typeof model>;
export type JsonOrder = OrderBy<typeof model>;
export type JsonSelection = Selection<typeof model>;

export interface JsonTypes {
  row: JsonRow;
  create: JsonCreate;
  update: JsonUpdate;
  upsert: JsonUpsert;
  where: JsonWhere;
  order: JsonOrder;
  selection: JsonSelection;
}

export type JsonHooks = Hooks<JsonTypes>;
