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
  maxLimit: 5,
  fields: {
    title: { kind: "string" },
    state: { kind: "string", enum: ["draft", "live"], default: "draft" },
    size: { kind: "string", nullable: true, enum: ["A4", "9 x 12"], default: "A4" },
    stars: { kind: "integer", nullable: true, enum: [1, 2, 3] },
    price: { kind: "float", nullable: true, default: 1.5 },
    pages: { kind: "integer", nullable: true, default: 0 },
    extra: { kind: "json", nullable: true, default: { "a b": 1 } },
    sold: { kind: "boolean", default: false },
    listed: { kind: "date", nullable: true, default: "2025-01-31" },
    counter: { kind: "integer", nullable: true },
    author_id: { kind: "bigint", nullable: true },
    editor: { kind: "bigint", nullable: true },
    owner_id: { kind: "bigint", nullable: true },
    safe_id: { kind: "bigint", nullable: true },
    closet_id: { kind: "bigint", nullable: true },
  },
  relations: {
    author: { kind: "belongs_to", field: "author_id", model: "authors", references: "id" },
    editor: { kind: "belongs_to", field: "editor", model: "authors", references: "id" },
    owner: { kind: "belongs_to", field: "owner_id", model: "users", references: "id" },
    safe: { kind: "belongs_to", field: "safe_id", model: "safes", references: "id" },
    closet: { kind: "belongs_to", field: "closet_id", model: "closets", references: "id" },
  },
  uniqueKeys: [],
  foreignKeys: [
    { name: "books_author_id_fkey", field: "author_id" },
    { name: "books_editor_fkey", field: "editor" },
    { name: "books_owner_id_fkey", field: "owner_id" },
    { name: "books_safe_id_fkey", field: "safe_id" },
    { name: "books_closet_id_fkey", field: "closet_id" },
  ],
});

export interface BooksRow {
  id: number;
  title: string;
  state: "draft" | "live";
  size: "A4" | "9 x 12" | null;
  stars: 1 | 2 | 3 | null;
  price: number | null;
  pages: number | null;
  extra: Json;
  sold: boolean;
  listed: string | null;
  /** Kept by the service. */
  counter: number | null;
  author_id: number | null;
  editor: number | null;
  owner_id: number | null;
  safe_id: number | null;
  closet_id: number | null;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface BooksCreate {
  title: string;
  state?: "draft" | "live";
  size?: "A4" | "9 x 12" | null;
  stars?: 1 | 2 | 3 | null;
  price?: number | null;
  pages?: number | null;
  extra?: Json;
  sold?: boolean;
  listed?: string | null;
  counter?: number | null;
  author_id?: number | null;
  editor?: number | null;
  owner_id?: number | null;
  safe_id?: number | null;
  closet_id?: number | null;
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
