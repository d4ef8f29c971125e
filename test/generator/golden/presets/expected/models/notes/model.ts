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
    text: { kind: "text" },
    owner_id: { kind: "bigint", preset: { placeholder: "user_id", required: true } },
    team_id: { kind: "bigint", nullable: true, preset: { user: "team_id" } },
    written_by: { kind: "email", nullable: true, preset: { placeholder: "email" } },
    written_as: { kind: "string", nullable: true, enum: ["user", "staff"], preset: { placeholder: "role" } },
  },
  relations: {
    owner: { kind: "belongs_to", field: "owner_id", model: "users", references: "id" },
    team: { kind: "belongs_to", field: "team_id", model: "teams", references: "id" },
  },
  uniqueKeys: [],
  foreignKeys: [
    { name: "notes_owner_id_fkey", field: "owner_id" },
    { name: "notes_team_id_fkey", field: "team_id" },
  ],
});

export interface NotesRow {
  id: number;
  text: string;
  owner_id: number;
  team_id: number | null;
  /** Whom to ask */
  written_by: string | null;
  written_as: "user" | "staff" | null;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface NotesCreate {
  text: string;
  owner_id?: number;
  team_id?: number | null;
  written_by?: string | null;
  written_as?: "user" | "staff" | null;
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
