// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "authors",
  typeName: "Authors",
  table: "authors",
  slug: "authors",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    name: { kind: "string", searchable: true },
    diary: { kind: "text", nullable: true },
    secret: { kind: "password" },
  },
  relations: {
    books: { kind: "has_many", field: "id", model: "books", references: "author_id" },
    notes: { kind: "has_many", field: "id", model: "notes", references: "author_id" },
    desk: { kind: "has_one", field: "id", model: "desks", references: "author_id" },
  },
  uniqueKeys: [],
  foreignKeys: [],
});

/**
 * Several lines,
 *   the second with """quotes""", a \ and a trailing "
 */
export interface AuthorsRow {
  id: number;
  /** Says "hello" to C:\ */
  name: string;
  /** Nobody reads it. */
  diary: string | null;
  created_at: string;
  updated_at: string;
}

export interface AuthorsCreate {
  name: string;
  diary?: string | null;
  secret: string;
}

export type AuthorsUpdate = Partial<AuthorsCreate>;
export type AuthorsUpsert = AuthorsCreate & { id?: number };
export type AuthorsWhere = Where<typeof model>;
export type AuthorsOrder = OrderBy<typeof model>;
export type AuthorsSelection = Selection<typeof model>;

export interface AuthorsTypes {
  row: AuthorsRow;
  create: AuthorsCreate;
  update: AuthorsUpdate;
  upsert: AuthorsUpsert;
  where: AuthorsWhere;
  order: AuthorsOrder;
  selection: AuthorsSelection;
}

export type AuthorsHooks = Hooks<AuthorsTypes>;
