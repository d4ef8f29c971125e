// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type Json, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "books",
  typeName: "Books",
  table: "books",
  slug: "books",
  id: "bigint",
  softDelete: true,
  maxLimit: 100,
  fields: {
    title: { kind: "string", searchable: true },
    subtitle: { kind: "string", nullable: true, searchable: true },
    isbn: { kind: "string" },
    slug: { kind: "string" },
    author_id: { kind: "bigint" },
    status: { kind: "string", enum: ["draft", "published", "out_of_print"], default: "draft" },
    published_at: { kind: "datetime", nullable: true },
    released_on: { kind: "date", nullable: true },
    format: { kind: "string", enum: ["hardback", "paperback", "audio", "ebook"], default: "paperback" },
    language: { kind: "string", default: "en" },
    pages: { kind: "integer", nullable: true },
    price: { kind: "decimal", decimal: { precision: 8, scale: 2 } },
    cost: { kind: "decimal", nullable: true, decimal: { precision: 8, scale: 2 } },
    stock: { kind: "integer", default: 0 },
    featured: { kind: "boolean", default: false },
    average_rating: { kind: "float", nullable: true },
    blurb: { kind: "text", nullable: true, searchable: true },
    details: { kind: "json", nullable: true },
  },
  relations: {
    author: { kind: "belongs_to", field: "author_id", model: "authors", references: "id" },
    reviews: { kind: "has_many", field: "id", model: "reviews", references: "book_id" },
  },
  uniqueKeys: [
    { name: "books_isbn_key", fields: ["isbn"] },
    { name: "books_slug_key", fields: ["slug"] },
  ],
  foreignKeys: [{ name: "books_author_id_fkey", field: "author_id" }],
});

/** Books that the shop sells. Guests see published books; customers also see books that are out of print. */
export interface BooksRow {
  id: number;
  title: string;
  subtitle: string | null;
  /** ISBN-13. The server removes hyphens and spaces, and verifies the check digit. */
  isbn: string;
  /** Last segment of the URL of the book's page. By default made from title and ISBN. */
  slug: string;
  author_id: number;
  status: "draft" | "published" | "out_of_print";
  /** Start of publication. Can be in the future. */
  published_at: string | null;
  /** Publication date of this edition. */
  released_on: string | null;
  format: "hardback" | "paperback" | "audio" | "ebook";
  language: string;
  pages: number | null;
  price: string;
  /** Purchase price. Hidden from customers. */
  cost: string | null;
  /** Copies on the shelf. Orders reduce it. */
  stock: number;
  featured: boolean;
  /** Mean of the approved reviews, or null. The hooks of `reviews` update it. */
  average_rating: number | null;
  blurb: string | null;
  /** Any JSON, such as awards, translators or dimensions. */
  details: Json;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface BooksCreate {
  title: string;
  subtitle?: string | null;
  isbn: string;
  slug?: string;
  author_id: number;
  status?: "draft" | "published" | "out_of_print";
  published_at?: string | null;
  released_on?: string | null;
  format?: "hardback" | "paperback" | "audio" | "ebook";
  language?: string;
  pages?: number | null;
  price: string;
  cost?: string | null;
  stock?: number;
  featured?: boolean;
  average_rating?: number | null;
  blurb?: string | null;
  details?: Json;
}

export type BooksUpdate = Partial<BooksCreate>;
export type BooksUpsert = BooksCreate & { id?: number };
export type BooksWhere = Where<typeof model>;
export type BooksOrder = OrderBy<typeof model>;
export type BooksSelection = Selection<typeof model>;

export interface BooksTypes {
  row: BooksRow;
  create: BooksCreate;
  update: BooksUpdate;
  upsert: BooksUpsert;
  where: BooksWhere;
  order: BooksOrder;
  selection: BooksSelection;
}

export type BooksHooks = Hooks<BooksTypes>;
