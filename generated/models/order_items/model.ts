// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "order_items",
  typeName: "OrderItems",
  table: "order_items",
  slug: "order-items",
  id: "bigint",
  softDelete: true,
  maxLimit: 1000,
  fields: {
    order_id: { kind: "uuid" },
    book_id: { kind: "bigint" },
    quantity: { kind: "integer", default: 1 },
    unit_price: { kind: "decimal", decimal: { precision: 8, scale: 2 } },
  },
  relations: {
    order: { kind: "belongs_to", field: "order_id", model: "orders", references: "id" },
    book: { kind: "belongs_to", field: "book_id", model: "books", references: "id" },
  },
  uniqueKeys: [{ name: "order_items_order_id_book_id_key", fields: ["order_id", "book_id"] }],
  foreignKeys: [
    { name: "order_items_order_id_fkey", field: "order_id" },
    { name: "order_items_book_id_fkey", field: "book_id" },
  ],
});

/** Lines of an order. A removed line stays as a soft-deleted row, for accounting. */
export interface OrderItemsRow {
  id: number;
  /** The order, which must be pending. */
  order_id: string;
  /** The book. An order has one line for each book. */
  book_id: number;
  /** Number of copies. */
  quantity: number;
  /** Price of the book at the time of the order. The server copies it from the book. */
  unit_price: string;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface OrderItemsCreate {
  order_id: string;
  book_id: number;
  quantity?: number;
  unit_price?: string;
}

export type OrderItemsUpdate = Partial<OrderItemsCreate>;
export type OrderItemsUpsert = OrderItemsCreate &
  Required<Pick<OrderItemsCreate, "unit_price">> & { id?: number };
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
