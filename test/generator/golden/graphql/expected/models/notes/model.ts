// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "notes",
  typeName: "Notes",
  table: "notes",
  slug: "notes",
  id: "uuid",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    text: { kind: "text", searchable: true },
    author_id: { kind: "bigint" },
  },
  relations: {
    author: { kind: "belongs_to", field: "author_id", model: "authors", references: "id" },
  },
  uniqueKeys: [],
  foreignKeys: [{ name: "notes_author_id_fkey", field: "author_id" }],
});

/** Found by search alone. Its hooks may fill in what is required. */
export interface NotesRow {
  id: string;
  text: string;
  author_id: number;
  created_at: string;
  updated_at: string;
}

export interface NotesCreate {
  id?: string;
  text: string;
  author_id: number;
}

export type NotesUpdate = Partial<Omit<NotesCreate, "id">>;
export type NotesUpsert = NotesCreate;
export type NotesWhere = Where<typeof model>;
export type NotesOrder = OrderBy<typeof model>;
export type NotesSelection = Selection<typeof model>;

export interface NotesTypes {
  row: NotesRow;
  create: Partial<NotesCreate>;
  update: NotesUpdate;
  upsert: NotesUpsert;
  where: NotesWhere;
  order: NotesOrder;
  selection: NotesSelection;
}

export type NotesHooks = Hooks<NotesTypes>;
