// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "LineItems",
  typeName: "LineItems2",
  table: "other_items",
  slug: "LineItems",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    label: { kind: "string", nullable: true },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

/** Its mutations have a number, since line_items is written in snake case. */
export interface LineItems2Row {
  id: number;
  label: string | null;
  created_at: string;
  updated_at: string;
}

export interface LineItems2Create {
  label?: string | null;
}

export type LineItems2Update = Partial<LineItems2Create>;
export type LineItems2Upsert = LineItems2Create & { id?: number };
export type LineItems2Where = Where<typeof model>;
export type LineItems2Order = OrderBy<typeof model>;
export type LineItems2Selection = Selection<typeof model>;

export interface LineItems2Types {
  row: LineItems2Row;
  create: LineItems2Create;
  update: LineItems2Update;
  upsert: LineItems2Upsert;
  where: LineItems2Where;
  order: LineItems2Order;
  selection: LineItems2Selection;
}

export type LineItems2Hooks = Hooks<LineItems2Types>;
