// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "customers",
  typeName: "Customers",
  table: "customers",
  slug: "customers",
  id: "bigint",
  softDelete: false,
  maxLimit: 100,
  fields: {
    user_id: { kind: "bigint" },
    name: { kind: "string", searchable: true },
    email: { kind: "email", searchable: true },
    phone: { kind: "string", nullable: true },
    birthday: { kind: "date", nullable: true },
    loyalty_tier: { kind: "string", enum: ["bronze", "silver", "gold"], default: "bronze" },
    newsletter: { kind: "boolean", default: false },
    pickup_pin: { kind: "password", nullable: true },
    favourite_genre: { kind: "string", nullable: true },
    language: { kind: "string", default: "en" },
    staff_notes: { kind: "text", nullable: true },
  },
  relations: {
    user: { kind: "belongs_to", field: "user_id", model: "users", references: "id" },
    orders: { kind: "has_many", field: "user_id", model: "orders", references: "customer_id" },
  },
  uniqueKeys: [{ name: "customers_user_id_key", fields: ["user_id"] }],
  foreignKeys: [{ name: "customers_user_id_fkey", field: "user_id" }],
});

/** Customers of the shop. Each customer sees and edits only their own row. */
export interface CustomersRow {
  id: number;
  /** The account. Orders and reviews refer to this field, so their rules need no second join. */
  user_id: number;
  name: string;
  /** Contact address. It is not verified, so it is not unique. */
  email: string;
  /** E.164, such as `+31201234567`. */
  phone: string | null;
  birthday: string | null;
  loyalty_tier: "bronze" | "silver" | "gold";
  newsletter: boolean;
  favourite_genre: string | null;
  /** Language of the shop's messages to the customer. */
  language: string;
  /** Hidden from the customer. */
  staff_notes: string | null;
  created_at: string;
  updated_at: string;
}

export interface CustomersCreate {
  user_id: number;
  name: string;
  email: string;
  phone?: string | null;
  birthday?: string | null;
  loyalty_tier?: "bronze" | "silver" | "gold";
  newsletter?: boolean;
  pickup_pin?: string | null;
  favourite_genre?: string | null;
  language?: string;
  staff_notes?: string | null;
}

export type CustomersUpdate = Partial<CustomersCreate>;
export type CustomersUpsert = CustomersCreate & { id?: number };
export type CustomersWhere = Where<typeof model>;
export type CustomersOrder = OrderBy<typeof model>;
export type CustomersSelection = Selection<typeof model>;

export interface CustomersTypes {
  row: CustomersRow;
  create: CustomersCreate;
  update: CustomersUpdate;
  upsert: CustomersUpsert;
  where: CustomersWhere;
  order: CustomersOrder;
  selection: CustomersSelection;
}

export type CustomersHooks = Hooks<CustomersTypes>;
