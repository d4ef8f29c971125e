import type { Json } from "#vocabulary/json";

/** An object of an answer. */
export type Data = { readonly [key: string]: Json };

interface Join {
  readonly kind: "belongs_to" | "has_one" | "has_many";
  readonly field: string;
  readonly model: string;
  readonly references: string;
}

interface DataModel {
  readonly scalars: readonly string[];
  readonly maxLimit: number;
  readonly joins: { readonly [name: string]: Join };
}

const one = (field: string, model: string): Join => ({ kind: "belongs_to", field, model, references: "id" });
const many = (model: string, references: string): Join => ({
  kind: "has_many",
  field: "id",
  model,
  references,
});

/** Models of the fixture as the tests see them, told apart from the generated ones on purpose. */
export const dataModels: { readonly [model: string]: DataModel } = {
  books: {
    scalars: [
      "id",
      "title",
      "pages",
      "price",
      "genre",
      "in_stock",
      "published",
      "printed_at",
      "author_id",
      "publisher_id",
    ],
    maxLimit: 20,
    joins: {
      author: one("author_id", "authors"),
      editor: one("editor", "authors"),
      chapters: many("chapters", "book_id"),
    },
  },
  authors: {
    scalars: ["id", "name", "user", "public", "rating", "salary", "deleted_at"],
    maxLimit: 1000,
    joins: {
      books: many("books", "author_id"),
      edited: many("books", "editor"),
      profile: { kind: "has_one", field: "id", model: "profiles", references: "author_id" },
    },
  },
  chapters: {
    scalars: ["id", "number", "heading", "book_id"],
    maxLimit: 4,
    joins: { book: one("book_id", "books") },
  },
  profiles: {
    scalars: ["id", "bio", "author_id"],
    maxLimit: 1000,
    joins: { author: one("author_id", "authors") },
  },
  folders: {
    scalars: ["id", "name", "size", "parent_id"],
    maxLimit: 12,
    joins: { parent: one("parent_id", "folders"), children: many("folders", "parent_id") },
  },
};

export const relationsOf = (model: string): DataModel["joins"] => dataModels[model]?.joins ?? {};
