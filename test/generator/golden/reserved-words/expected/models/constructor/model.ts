// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "constructor",
  typeName: "Constructor",
  table: "constructor",
  slug: "constructor",
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

export interface ConstructorRow {
  id: number;
  name: string | null;
  created_at: string;
  updated_at: string;
}

export interface ConstructorCreate {
  name?: string | null;
}

export type ConstructorUpdate = Partial<ConstructorCreate>;
export type ConstructorUpsert = ConstructorCreate & { id?: number };
export type ConstructorWhere = Where<typeof model>;
export type ConstructorOrder = OrderBy<typeof model>;
export type ConstructorSelection = Selection<typeof model>;

export interface ConstructorTypes {
  row: ConstructorRow;
  create: ConstructorCreate;
  update: ConstructorUpdate;
  upsert: ConstructorUpsert;
  where: ConstructorWhere;
  order: ConstructorOrder;
  selection: ConstructorSelection;
}

export type ConstructorHooks = Hooks<ConstructorTypes>;
