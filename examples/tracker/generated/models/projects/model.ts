// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "projects",
  typeName: "Projects",
  table: "projects",
  slug: "projects",
  id: "bigint",
  softDelete: true,
  maxLimit: 1000,
  fields: {
    organisation_id: { kind: "bigint" },
    name: { kind: "string", searchable: true },
    lead_id: { kind: "bigint", nullable: true },
    visibility: { kind: "string", enum: ["organisation", "private"], default: "organisation" },
    archived: { kind: "boolean", default: false },
  },
  relations: {
    organisation: { kind: "belongs_to", field: "organisation_id", model: "organisations", references: "id" },
    lead: { kind: "belongs_to", field: "lead_id", model: "users", references: "id" },
    tasks: { kind: "has_many", field: "id", model: "tasks", references: "project_id" },
  },
  uniqueKeys: [],
  foreignKeys: [
    { name: "projects_organisation_id_fkey", field: "organisation_id" },
    { name: "projects_lead_id_fkey", field: "lead_id" },
  ],
});

/** Visible to the whole organisation, or only to its lead and to owners and admins of the organisation. */
export interface ProjectsRow {
  id: number;
  organisation_id: number;
  name: string;
  lead_id: number | null;
  visibility: "organisation" | "private";
  archived: boolean;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface ProjectsCreate {
  organisation_id: number;
  name: string;
  lead_id?: number | null;
  visibility?: "organisation" | "private";
  archived?: boolean;
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
