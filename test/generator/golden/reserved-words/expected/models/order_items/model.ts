// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "order_items",
  typeName: "OrderItems",
  table: "order_items",
  slug: "order_items",
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

export interface OrderItemsRow {
  id: number;
  name: string | null;
  created_at: string;
  updated_at: string;
}

export interface OrderItemsCreate {
  name?: string | null;
}

export type OrderItemsUpdate = Partial<OrderItemsCreate>;
export type OrderItemsUpsert = OrderItemsCreate & { id?: number };
export type OrderItemsWhere = Where<typeof model>;
export type OrderItemsOrder = OrderBy<typeof model>;
export type OrderItemsSelection = Selection<typeof model>;

export interface OrderItemsTypes {
  row: OrderItemsRow;
  create: OrderItemsCreate;
  update: OrderItemsUpdate;
  upsert: OrderItemsUpsert;
  where: OrderItemsWhere;
  order: OrderItemsOrder;
  selection: OrderItemsSelection;
}

export type OrderItemsHooks = Hooks<OrderItemsTypes>;
