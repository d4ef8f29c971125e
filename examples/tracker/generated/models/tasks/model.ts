// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "tasks",
  typeName: "Tasks",
  table: "tasks",
  slug: "tasks",
  id: "bigint",
  softDelete: true,
  maxLimit: 1000,
  fields: {
    project_id: { kind: "bigint" },
    reference: { kind: "string", nullable: true },
    title: { kind: "string", searchable: true },
    status: { kind: "string", enum: ["todo", "doing", "review", "done"], default: "todo" },
    tags: { kind: "string[]", default: [] },
    estimate_hours: { kind: "integer", nullable: true },
    due_on: { kind: "date", nullable: true },
    reporter_id: { kind: "bigint", preset: { placeholder: "user_id", required: true } },
    assignee_id: { kind: "bigint", nullable: true },
  },
  relations: {
    project: { kind: "belongs_to", field: "project_id", model: "projects", references: "id" },
    reporter: { kind: "belongs_to", field: "reporter_id", model: "users", references: "id" },
    assignee: { kind: "belongs_to", field: "assignee_id", model: "users", references: "id" },
    comments: { kind: "has_many", field: "id", model: "comments", references: "task_id" },
  },
  uniqueKeys: [{ name: "tasks_project_id_reference_key", fields: ["project_id", "reference"] }],
  foreignKeys: [
    { name: "tasks_project_id_fkey", field: "project_id" },
    { name: "tasks_reporter_id_fkey", field: "reporter_id" },
    { name: "tasks_assignee_id_fkey", field: "assignee_id" },
  ],
});

/** Owners and admins can change every task. Assignees can change their tasks until they are done. Reporters can correct theirs for 15 minutes. */
export interface TasksRow {
  id: number;
  project_id: number;
  /** Id of the task in another system, so that an import can run again. */
  reference: string | null;
  title: string;
  status: "todo" | "doing" | "review" | "done";
  /** Lower case, so that each tag has one spelling. */
  tags: string[];
  estimate_hours: number | null;
  due_on: string | null;
  /** The user who created the task. The server sets it. */
  reporter_id: number;
  assignee_id: number | null;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface TasksCreate {
  project_id: number;
  reference?: string | null;
  title: string;
  status?: "todo" | "doing" | "review" | "done";
  tags?: string[];
  estimate_hours?: number | null;
  due_on?: string | null;
  reporter_id?: number;
  assignee_id?: number | null;
}

export type TasksUpdate = Partial<TasksCreate>;
export type TasksUpsert = TasksCreate & { id?: number };
export type TasksWhere = Where<typeof model>;
export type TasksOrder = OrderBy<typeof model>;
export type TasksSelection = Selection<typeof model>;

export interface TasksTypes {
  row: TasksRow;
  create: TasksCreate;
  update: TasksUpdate;
  upsert: TasksUpsert;
  where: TasksWhere;
  order: TasksOrder;
  selection: TasksSelection;
}

export type TasksHooks = Hooks<TasksTypes>;
