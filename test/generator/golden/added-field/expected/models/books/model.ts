// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "books",
  typeName: "Books",
  table: "books",
  slug: "books",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    title: { kind: "string" },
    isbn: { kind: "string", nullable: true },
  },
  relations: {},
  uniqueKeys: [{ name: "books_isbn_key", fields: ["isbn"] }],
  foreignKeys: [],
});

export interface BooksRow {
  id: number;
  title: string;
  isbn: string | null;
  created_at: string;
  updated_at: string;
}

export interface BooksCreate {
  title: string;
  isbn?: string | null;
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
