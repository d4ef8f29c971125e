// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "staff",
  typeName: "Staff",
  table: "staff",
  slug: "staff",
  id: "bigint",
  softDelete: true,
  maxLimit: 1000,
  fields: {
    practice_id: { kind: "bigint" },
    user_id: { kind: "bigint" },
    duty: { kind: "string", enum: ["manager", "reception"], default: "reception" },
  },
  relations: {
    practice: { kind: "belongs_to", field: "practice_id", model: "practices", references: "id" },
    user: { kind: "belongs_to", field: "user_id", model: "users", references: "id" },
  },
  uniqueKeys: [{ name: "staff_practice_id_user_id_key", fields: ["practice_id", "user_id"] }],
  foreignKeys: [
    { name: "staff_practice_id_fkey", field: "practice_id" },
    { name: "staff_user_id_fkey", field: "user_id" },
  ],
});

/** Staff of a practice, with their duty. A soft-deleted row gives no access. */
export interface StaffRow {
  id: number;
  practice_id: number;
  user_id: number;
  duty: "manager" | "reception";
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface StaffCreate {
  practice_id: number;
  user_id: number;
  duty?: "manager" | "reception";
}

export type StaffUpdate = Partial<StaffCreate>;
export type StaffUpsert = StaffCreate & { id?: number };
export type StaffWhere = Where<typeof model>;
export type StaffOrder = OrderBy<typeof model>;
export type StaffSelection = Selection<typeof model>;

export interface StaffTypes {
  row: StaffRow;
  create: StaffCreate;
  update: StaffUpdate;
  upsert: StaffUpsert;
  where: StaffWhere;
  order: StaffOrder;
  selection: StaffSelection;
}

export type StaffHooks = Hooks<StaffTypes>;
