// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "memberships",
  typeName: "Memberships",
  table: "memberships",
  slug: "memberships",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    organisation_id: { kind: "bigint", nullable: true },
    user_id: { kind: "bigint", nullable: true },
    role: { kind: "string", nullable: true },
  },
  relations: {
    organisation: { kind: "belongs_to", field: "organisation_id", model: "organisations", references: "id" },
    user: { kind: "belongs_to", field: "user_id", model: "users", references: "id" },
  },
  uniqueKeys: [],
  foreignKeys: [
    { name: "memberships_organisation_id_fkey", field: "organisation_id" },
    { name: "memberships_user_id_fkey", field: "user_id" },
  ],
});

export interface MembershipsRow {
  id: number;
  organisation_id: number | null;
  user_id: number | null;
  role: string | null;
  created_at: string;
  updated_at: string;
}

export interface MembershipsCreate {
  organisation_id?: number | null;
  user_id?: number | null;
  role?: string | null;
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
