// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "organisations",
  typeName: "Organisations",
  table: "organisations",
  slug: "organisations",
  id: "bigint",
  softDelete: true,
  maxLimit: 1000,
  fields: {
    name: { kind: "string", searchable: true },
    plan: { kind: "string", enum: ["free", "team"], default: "free" },
  },
  relations: {
    memberships: { kind: "has_many", field: "id", model: "memberships", references: "organisation_id" },
    invitations: { kind: "has_many", field: "id", model: "invitations", references: "organisation_id" },
    projects: { kind: "has_many", field: "id", model: "projects", references: "organisation_id" },
  },
  uniqueKeys: [],
  foreignKeys: [],
});

/** A tenant. The user who creates it becomes its owner. Members can read it; owners and admins manage it. */
export interface OrganisationsRow {
  id: number;
  name: string;
  /** The paid plan. Operators of the service set it. */
  plan: "free" | "team";
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface OrganisationsCreate {
  name: string;
  plan?: "free" | "team";
}

export type OrganisationsUpdate = Partial<OrganisationsCreate>;
export type OrganisationsUpsert = OrganisationsCreate & { id?: number };
export type OrganisationsWhere = Where<typeof model>;
export type OrganisationsOrder = OrderBy<typeof model>;
export type OrganisationsSelection = Selection<typeof model>;

export interface OrganisationsTypes {
  row: OrganisationsRow;
  create: OrganisationsCreate;
  update: OrganisationsUpdate;
  upsert: OrganisationsUpsert;
  where: OrganisationsWhere;
  order: OrganisationsOrder;
  selection: OrganisationsSelection;
}

export type OrganisationsHooks = Hooks<OrganisationsTypes>;
