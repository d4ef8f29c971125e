// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "reviews",
  typeName: "Reviews",
  table: "reviews",
  slug: "reviews",
  id: "bigint",
  softDelete: true,
  maxLimit: 200,
  fields: {
    book_id: { kind: "bigint" },
    customer_id: { kind: "bigint" },
    rating: { kind: "integer" },
    title: { kind: "string", searchable: true },
    body: { kind: "text", nullable: true, searchable: true },
    status: { kind: "string", enum: ["pending", "approved", "rejected"], default: "pending" },
    moderated_at: { kind: "datetime", nullable: true },
  },
  relations: {
    book: { kind: "belongs_to", field: "book_id", model: "books", references: "id" },
    customer: { kind: "belongs_to", field: "customer_id", model: "customers", references: "user_id" },
  },
  uniqueKeys: [{ name: "reviews_book_id_customer_id_key", fields: ["book_id", "customer_id"] }],
  foreignKeys: [
    { name: "reviews_book_id_fkey", field: "book_id" },
    { name: "reviews_customer_id_fkey", field: "customer_id" },
  ],
});

/** One review per customer and book. Guests see approved reviews; customers also see their own. */
export interface ReviewsRow {
  id: number;
  /** The customer can change it until staff approve or reject the review. */
  book_id: number;
  /** The account of the author: refers to `customers.user_id`. */
  customer_id: number;
  /** Stars. */
  rating: number;
  title: string;
  body: string | null;
  status: "pending" | "approved" | "rejected";
  /** The server sets it when the status changes. */
  moderated_at: string | null;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface ReviewsCreate {
  book_id: number;
  customer_id?: number;
  rating: number;
  title: string;
  body?: string | null;
  status?: "pending" | "approved" | "rejected";
  moderated_at?: string | null;
}

export type ReviewsUpdate = Partial<ReviewsCreate>;
export type ReviewsUpsert = ReviewsCreate & { id?: number };
export type ReviewsWhere = Where<typeof model>;
export type ReviewsOrder = OrderBy<typeof model>;
export type ReviewsSelection = Selection<typeof model>;

export interface ReviewsTypes {
  row: ReviewsRow;
  create: ReviewsCreate;
  update: ReviewsUpdate;
  upsert: ReviewsUpsert;
  where: ReviewsWhere;
  order: ReviewsOrder;
  selection: ReviewsSelection;
}

export type ReviewsHooks = Hooks<ReviewsTypes>;
