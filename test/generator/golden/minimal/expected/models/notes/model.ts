// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "notes",
  typeName: "Notes",
  table: "notes",
  slug: "notes",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    title: { kind: "string", nullable: true },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

export interface NotesRow {
  id: number;
  title: string | null;
  created_at: string;
  updated_at: string;
}

export interface NotesCreate {
  title?: string | null;
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
