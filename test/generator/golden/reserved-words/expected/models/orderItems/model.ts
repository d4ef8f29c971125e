// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "orderItems",
  typeName: "OrderItems2",
  table: "order_items_too",
  slug: "orderItems",
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

export interface OrderItems2Row {
  id: number;
  name: string | null;
  created_at: string;
  updated_at: string;
}

export interface OrderItems2Create {
  name?: string | null;
}

export type OrderItems2Update = Partial<OrderItems2Create>;
export type OrderItems2Upsert = OrderItems2Create & { id?: number };
export type OrderItems2Where = Where<typeof model>;
export type OrderItems2Order = OrderBy<typeof model>;
export type OrderItems2Selection = Selection<typeof model>;

export interface OrderItems2Types {
  row: OrderItems2Row;
  create: OrderItems2Create;
  update: OrderItems2Update;
  upsert: OrderItems2Upsert;
  where: OrderItems2Where;
  order: OrderItems2Order;
  selection: OrderItems2Selection;
}

export type OrderItems2Hooks = Hooks<OrderItems2Types>;
