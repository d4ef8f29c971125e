// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "organisations",
  typeName: "Organisations",
  table: "organisations",
  slug: "organisations",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    name: { kind: "string", nullable: true },
    owner_id: { kind: "bigint", nullable: true },
  },
  relations: {
    owner: { kind: "belongs_to", field: "owner_id", model: "users", references: "id" },
    memberships: { kind: "has_many", field: "id", model: "memberships", references: "organisation_id" },
  },
  uniqueKeys: [],
  foreignKeys: [{ name: "organisations_owner_id_fkey", field: "owner_id" }],
});

export interface OrganisationsRow {
  id: number;
  name: string | null;
  owner_id: number | null;
  created_at: string;
  updated_at: string;
}

export interface OrganisationsCreate {
  name?: string | null;
  owner_id?: number | null;
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
