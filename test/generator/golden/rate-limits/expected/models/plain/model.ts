// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "plain",
  typeName: "Plain",
  table: "plain",
  slug: "plain",
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

export interface PlainRow {
  id: number;
  title: string | null;
  created_at: string;
  updated_at: string;
}

export interface PlainCreate {
  title?: string | null;
}

export type PlainUpdate = Partial<PlainCreate>;
export type PlainUpsert = PlainCreate & { id?: number };
export type PlainWhere = Where<typeof model>;
export type PlainOrder = OrderBy<typeof model>;
export type PlainSelection = Selection<typeof model>;

export interface PlainTypes {
  row: PlainRow;
  create: PlainCreate;
  update: PlainUpdate;
  upsert: PlainUpsert;
  where: PlainWhere;
  order: PlainOrder;
  selection: PlainSelection;
}

export type PlainHooks = Hooks<PlainTypes>;
