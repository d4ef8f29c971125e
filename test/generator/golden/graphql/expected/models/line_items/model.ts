// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "line_items",
  typeName: "LineItems",
  table: "line_items",
  slug: "line_items",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    count: { kind: "integer", nullable: true },
    limit: { kind: "integer", nullable: true },
    true: { kind: "boolean", nullable: true },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

export interface LineItemsRow {
  id: number;
  count: number | null;
  limit: number | null;
  true: boolean | null;
  created_at: string;
  updated_at: string;
}

export interface LineItemsCreate {
  count?: number | null;
  limit?: number | null;
  true?: boolean | null;
}

export type LineItemsUpdate = Partial<LineItemsCreate>;
export type LineItemsUpsert = LineItemsCreate & { id?: number };
export type LineItemsWhere = Where<typeof model>;
export type LineItemsOrder = OrderBy<typeof model>;
export type LineItemsSelection = Selection<typeof model>;

export interface LineItemsTypes {
  row: LineItemsRow;
  create: LineItemsCreate;
  update: LineItemsUpdate;
  upsert: LineItemsUpsert;
  where: LineItemsWhere;
  order: LineItemsOrder;
  selection: LineItemsSelection;
}

export type LineItemsHooks = Hooks<LineItemsTypes>;
