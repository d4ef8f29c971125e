// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "memberships",
  typeName: "Memberships",
  table: "memberships",
  slug: "memberships",
  id: "bigint",
  softDelete: true,
  maxLimit: 1000,
  fields: {
    organisation_id: { kind: "bigint" },
    user_id: { kind: "bigint" },
    role: { kind: "string", enum: ["owner", "admin", "member"], default: "member" },
  },
  relations: {
    organisation: { kind: "belongs_to", field: "organisation_id", model: "organisations", references: "id" },
    user: { kind: "belongs_to", field: "user_id", model: "users", references: "id" },
  },
  uniqueKeys: [{ name: "memberships_organisation_id_user_id_key", fields: ["organisation_id", "user_id"] }],
  foreignKeys: [
    { name: "memberships_organisation_id_fkey", field: "organisation_id" },
    { name: "memberships_user_id_fkey", field: "user_id" },
  ],
});

/** Members of an organisation, with their role. A soft-deleted membership gives no access. */
export interface MembershipsRow {
  id: number;
  organisation_id: number;
  user_id: number;
  role: "owner" | "admin" | "member";
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface MembershipsCreate {
  organisation_id: number;
  user_id: number;
  role?: "owner" | "admin" | "member";
}

export type MembershipsUpdate = Partial<MembershipsCreate>;
export type MembershipsUpsert = MembershipsCreate & { id?: number };
export type MembershipsWhere = Where<typeof model>;
export type MembershipsOrder = OrderBy<typeof model>;
export type MembershipsSelection = Selection<typeof model>;

export interface MembershipsTypes {
  row: MembershipsRow;
  create: MembershipsCreate;
  update: MembershipsUpdate;
  upsert: MembershipsUpsert;
  where: MembershipsWhere;
  order: MembershipsOrder;
  selection: MembershipsSelection;
}

export type MembershipsHooks = Hooks<MembershipsTypes>;
