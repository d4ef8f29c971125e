// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "notes",
  typeName: "Notes",
  table: "notes",
  slug: "notes",
  id: "bigint",
  softDelete: true,
  maxLimit: 1000,
  fields: {
    notebook_id: { kind: "bigint" },
    title: { kind: "string" },
    body: { kind: "text", nullable: true },
  },
  relations: {
    notebook: { kind: "belongs_to", field: "notebook_id", model: "notebooks", references: "id" },
  },
  uniqueKeys: [],
  foreignKeys: [{ name: "notes_notebook_id_fkey", field: "notebook_id" }],
});

/** Everyone who can read the notebook can read its notes. Only the owner writes them. */
export interface NotesRow {
  id: number;
  notebook_id: number;
  title: string;
  body: string | null;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface NotesCreate {
  notebook_id: number;
  title: string;
  body?: string | null;
}

export type NotesUpdate = Partial<NotesCreate>;
export type NotesUpsert = NotesCreate & { id?: number };
export type NotesWhere = Where<typeof model>;
export type NotesOrder = OrderBy<typeof model>;
export type NotesSelection = Selection<typeof model>;

export interface NotesTypes {
  row: NotesRow;
  create: NotesCreate;
  update: NotesUpdate;
  upsert: NotesUpsert;
  where: NotesWhere;
  order: NotesOrder;
  selection: NotesSelection;
}

export type NotesHooks = Hooks<NotesTypes>;
