// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "orders",
  typeName: "Orders",
  table: "orders",
  slug: "orders",
  id: "uuid",
  softDelete: false,
  maxLimit: 100,
  fields: {
    reference: { kind: "string", searchable: true },
    client_token: { kind: "uuid", nullable: true },
    customer_id: { kind: "bigint" },
    status: {
      kind: "string",
      enum: ["pending", "paid", "shipped", "delivered", "cancelled"],
      default: "pending",
    },
    placed_at: { kind: "datetime", preset: { placeholder: "now", required: true } },
    total: { kind: "decimal", decimal: { precision: 12, scale: 2 }, default: "0.00" },
    gift_card_id: { kind: "uuid", nullable: true },
    shipping_name: { kind: "string", nullable: true },
    shipping_street: { kind: "string", nullable: true },
    shipping_postcode: { kind: "string", nullable: true },
    shipping_city: { kind: "string", nullable: true },
    note: { kind: "text", nullable: true, searchable: true },
  },
  relations: {
    customer: { kind: "belongs_to", field: "customer_id", model: "customers", references: "user_id" },
    gift_card: { kind: "belongs_to", field: "gift_card_id", model: "gift_cards", references: "id" },
    items: { kind: "has_many", field: "id", model: "order_items", references: "order_id" },
    shipment: { kind: "has_one", field: "id", model: "shipments", references: "order_id" },
  },
  uniqueKeys: [
    { name: "orders_reference_key", fields: ["reference"] },
    { name: "orders_client_token_key", fields: ["client_token"] },
  ],
  foreignKeys: [
    { name: "orders_customer_id_fkey", field: "customer_id" },
    { name: "orders_gift_card_id_fkey", field: "gift_card_id" },
  ],
});

/** Orders. A customer may change an order while it is pending. */
export interface OrdersRow {
  id: string;
  /** Order number for customers. The server sets it. */
  reference: string;
  /** Idempotency key: the client chooses it, so a repeated request does not order twice. */
  client_token: string | null;
  /** The account of the customer: refers to `customers.user_id`. */
  customer_id: number;
  /** Staff change the status. A customer can change the order while it is pending. */
  status: "pending" | "paid" | "shipped" | "delivered" | "cancelled";
  placed_at: string;
  /** Sum of the lines. The hooks of `order_items` update it. */
  total: string;
  /** The gift card of the order. Staff set it. */
  gift_card_id: string | null;
  /** Recipient of the parcel. Without an address, the customer collects the order. */
  shipping_name: string | null;
  /** Street and house number. */
  shipping_street: string | null;
  /** Postcode of the address. */
  shipping_postcode: string | null;
  /** City of the address. */
  shipping_city: string | null;
  /** A message of the customer to the shop. */
  note: string | null;
  created_at: string;
  updated_at: string;
}

export interface OrdersCreate {
  id?: string;
  reference?: string;
  client_token?: string | null;
  customer_id?: number;
  status?: "pending" | "paid" | "shipped" | "delivered" | "cancelled";
  placed_at?: string;
  total?: string;
  gift_card_id?: string | null;
  shipping_name?: string | null;
  shipping_street?: string | null;
  shipping_postcode?: string | null;
  shipping_city?: string | null;
  note?: string | null;
}

export type OrdersUpdate = Partial<Omit<OrdersCreate, "id">>;
export type OrdersUpsert = OrdersCreate & Required<Pick<OrdersCreate, "reference" | "customer_id">>;
export type OrdersWhere = Where<typeof model>;
export type OrdersOrder = OrderBy<typeof model>;
export type OrdersSelection = Selection<typeof model>;

export interface OrdersTypes {
  row: OrdersRow;
  create: OrdersCreate;
  update: OrdersUpdate;
  upsert: OrdersUpsert;
  where: OrdersWhere;
  order: OrdersOrder;
  selection: OrdersSelection;
}

export type OrdersHooks = Hooks<OrdersTypes>;
