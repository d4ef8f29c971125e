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
  maxLimit: 200,
  fields: {
    name: { kind: "string", searchable: true },
    country: { kind: "string", nullable: true },
    born_on: { kind: "date", nullable: true },
    biography: { kind: "text", nullable: true, searchable: true },
    website: { kind: "string", nullable: true },
    contact_email: { kind: "email", nullable: true },
    royalty_percent: { kind: "float", default: 7.5 },
  },
  relations: {
    books: { kind: "has_many", field: "id", model: "books", references: "author_id" },
  },
  uniqueKeys: [],
  foreignKeys: [],
});

/** Authors of the books. Everyone can read them; staff edit them. */
export interface AuthorsRow {
  id: number;
  name: string;
  /** ISO 3166-1 alpha-2 code, such as `NL`. */
  country: string | null;
  born_on: string | null;
  biography: string | null;
  website: string | null;
  /** For the shop only, about readings and royalties. */
  contact_email: string | null;
  royalty_percent: number;
  created_at: string;
  updated_at: string;
}

export interface AuthorsCreate {
  name: string;
  country?: string | null;
  born_on?: string | null;
  biography?: string | null;
  website?: string | null;
  contact_email?: string | null;
  royalty_percent?: number;
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
