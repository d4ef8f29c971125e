// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "comments",
  typeName: "Comments",
  table: "comments",
  slug: "comments",
  id: "bigint",
  softDelete: true,
  maxLimit: 1000,
  fields: {
    task_id: { kind: "bigint" },
    author_id: { kind: "bigint", preset: { placeholder: "user_id", required: true } },
    body: { kind: "text", searchable: true },
  },
  relations: {
    task: { kind: "belongs_to", field: "task_id", model: "tasks", references: "id" },
    author: { kind: "belongs_to", field: "author_id", model: "users", references: "id" },
  },
  uniqueKeys: [],
  foreignKeys: [
    { name: "comments_task_id_fkey", field: "task_id" },
    { name: "comments_author_id_fkey", field: "author_id" },
  ],
});

/** Everyone who can read the task can comment on it. Only the author can change a comment. */
export interface CommentsRow {
  id: number;
  task_id: number;
  author_id: number;
  body: string;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface CommentsCreate {
  task_id: number;
  author_id?: number;
  body: string;
}

export type CommentsUpdate = Partial<CommentsCreate>;
export type CommentsUpsert = CommentsCreate & { id?: number };
export type CommentsWhere = Where<typeof model>;
export type CommentsOrder = OrderBy<typeof model>;
export type CommentsSelection = Selection<typeof model>;

export interface CommentsTypes {
  row: CommentsRow;
  create: CommentsCreate;
  update: CommentsUpdate;
  upsert: CommentsUpsert;
  where: CommentsWhere;
  order: CommentsOrder;
  selection: CommentsSelection;
}

export type CommentsHooks = Hooks<CommentsTypes>;
