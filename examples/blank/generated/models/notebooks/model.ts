// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "notebooks",
  typeName: "Notebooks",
  table: "notebooks",
  slug: "notebooks",
  id: "bigint",
  softDelete: true,
  maxLimit: 1000,
  fields: {
    title: { kind: "string" },
    public: { kind: "boolean", default: false },
    owner_id: { kind: "bigint", preset: { placeholder: "user_id", required: true } },
  },
  relations: {
    owner: { kind: "belongs_to", field: "owner_id", model: "users", references: "id" },
    notes: { kind: "has_many", field: "id", model: "notes", references: "notebook_id" },
  },
  uniqueKeys: [],
  foreignKeys: [{ name: "notebooks_owner_id_fkey", field: "owner_id" }],
});

/** A notebook belongs to the user who creates it. The owner decides whether others can read it. */
export interface NotebooksRow {
  id: number;
  title: string;
  /** True: everyone can read it, also guests. */
  public: boolean;
  /** The user who created it. The server sets it from the token; callers cannot send it. */
  owner_id: number;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface NotebooksCreate {
  title: string;
  public?: boolean;
  owner_id?: number;
}

export type NotebooksUpdate = Partial<NotebooksCreate>;
export type NotebooksUpsert = NotebooksCreate & { id?: number };
export type NotebooksWhere = Where<typeof model>;
export type NotebooksOrder = OrderBy<typeof model>;
export type NotebooksSelection = Selection<typeof model>;

export interface NotebooksTypes {
  row: NotebooksRow;
  create: NotebooksCreate;
  update: NotebooksUpdate;
  upsert: NotebooksUpsert;
  where: NotebooksWhere;
  order: NotebooksOrder;
  selection: NotebooksSelection;
}

export type NotebooksHooks = Hooks<NotebooksTypes>;
