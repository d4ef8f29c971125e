// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "projects",
  typeName: "Projects",
  table: "projects",
  slug: "projects",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    organisation_id: { kind: "bigint", nullable: true },
    a_id: { kind: "bigint", nullable: true },
    b_id: { kind: "bigint", nullable: true },
    due_on: { kind: "date", nullable: true },
    team_id: { kind: "bigint", nullable: true },
  },
  relations: {
    organisation: { kind: "belongs_to", field: "organisation_id", model: "organisations", references: "id" },
    a: { kind: "belongs_to", field: "a_id", model: "users", references: "id" },
    b: { kind: "belongs_to", field: "b_id", model: "users", references: "id" },
    team: { kind: "belongs_to", field: "team_id", model: "teams", references: "id" },
  },
  uniqueKeys: [],
  foreignKeys: [
    { name: "projects_organisation_id_fkey", field: "organisation_id" },
    { name: "projects_a_id_fkey", field: "a_id" },
    { name: "projects_b_id_fkey", field: "b_id" },
    { name: "projects_team_id_fkey", field: "team_id" },
  ],
});

export interface ProjectsRow {
  id: number;
  organisation_id: number | null;
  a_id: number | null;
  b_id: number | null;
  due_on: string | null;
  team_id: number | null;
  created_at: string;
  updated_at: string;
}

export interface ProjectsCreate {
  organisation_id?: number | null;
  a_id?: number | null;
  b_id?: number | null;
  due_on?: string | null;
  team_id?: number | null;
}

export type ProjectsUpdate = Partial<ProjectsCreate>;
export type ProjectsUpsert = ProjectsCreate & { id?: number };
export type ProjectsWhere = Where<typeof model>;
export type ProjectsOrder = OrderBy<typeof model>;
export type ProjectsSelection = Selection<typeof model>;

export interface ProjectsTypes {
  row: ProjectsRow;
  create: ProjectsCreate;
  update: ProjectsUpdate;
  upsert: ProjectsUpsert;
  where: ProjectsWhere;
  order: ProjectsOrder;
  selection: ProjectsSelection;
}

export type ProjectsHooks = Hooks<ProjectsTypes>;
