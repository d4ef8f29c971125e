// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "announcements",
  typeName: "Announcements",
  table: "announcements",
  slug: "announcements",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    title: { kind: "string" },
    body: { kind: "text", nullable: true },
    audience: { kind: "string", enum: ["everyone", "guest", "user", "staff", "admin"], default: "everyone" },
    starts_at: { kind: "datetime" },
    ends_at: { kind: "datetime", nullable: true },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
  checks: [
    {
      constraint: "announcements_01_ends_after_start_check",
      name: "ends_after_start",
      field: "ends_at",
      message: "An announcement ends after it starts.",
    },
  ],
});

/** Messages for one role or for everyone. */
export interface AnnouncementsRow {
  id: number;
  title: string;
  body: string | null;
  /** A role, or everyone. */
  audience: "everyone" | "guest" | "user" | "staff" | "admin";
  starts_at: string;
  ends_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface AnnouncementsCreate {
  title: string;
  body?: string | null;
  audience?: "everyone" | "guest" | "user" | "staff" | "admin";
  starts_at: string;
  ends_at?: string | null;
}

export type AnnouncementsUpdate = Partial<AnnouncementsCreate>;
export type AnnouncementsUpsert = AnnouncementsCreate & { id?: number };
export type AnnouncementsWhere = Where<typeof model>;
export type AnnouncementsOrder = OrderBy<typeof model>;
export type AnnouncementsSelection = Selection<typeof model>;

export interface AnnouncementsTypes {
  row: AnnouncementsRow;
  create: AnnouncementsCreate;
  update: AnnouncementsUpdate;
  upsert: AnnouncementsUpsert;
  where: AnnouncementsWhere;
  order: AnnouncementsOrder;
  selection: AnnouncementsSelection;
}

export type AnnouncementsHooks = Hooks<AnnouncementsTypes>;
