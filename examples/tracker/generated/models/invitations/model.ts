// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "invitations",
  typeName: "Invitations",
  table: "invitations",
  slug: "invitations",
  id: "bigint",
  softDelete: true,
  maxLimit: 1000,
  fields: {
    organisation_id: { kind: "bigint" },
    email: { kind: "email" },
    role: { kind: "string", enum: ["admin", "member"], default: "member" },
    expires_at: { kind: "datetime" },
  },
  relations: {
    organisation: { kind: "belongs_to", field: "organisation_id", model: "organisations", references: "id" },
  },
  uniqueKeys: [{ name: "invitations_organisation_id_email_key", fields: ["organisation_id", "email"] }],
  foreignKeys: [{ name: "invitations_organisation_id_fkey", field: "organisation_id" }],
});

/** Invites an e-mail address to an organisation. The user accepts by creating a membership with the same role. */
export interface InvitationsRow {
  id: number;
  organisation_id: number;
  email: string;
  role: "admin" | "member";
  expires_at: string;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface InvitationsCreate {
  organisation_id: number;
  email: string;
  role?: "admin" | "member";
  expires_at?: string;
}

export type InvitationsUpdate = Partial<InvitationsCreate>;
export type InvitationsUpsert = InvitationsCreate &
  Required<Pick<InvitationsCreate, "expires_at">> & { id?: number };
export type InvitationsWhere = Where<typeof model>;
export type InvitationsOrder = OrderBy<typeof model>;
export type InvitationsSelection = Selection<typeof model>;

export interface InvitationsTypes {
  row: InvitationsRow;
  create: InvitationsCreate;
  update: InvitationsUpdate;
  upsert: InvitationsUpsert;
  where: InvitationsWhere;
  order: InvitationsOrder;
  selection: InvitationsSelection;
}

export type InvitationsHooks = Hooks<InvitationsTypes>;
