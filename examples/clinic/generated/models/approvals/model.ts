// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "approvals",
  typeName: "Approvals",
  table: "approvals",
  slug: "approvals",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    record_id: { kind: "bigint" },
    doctor_id: { kind: "bigint" },
    outcome: { kind: "string", enum: ["approved", "rejected"] },
  },
  relations: {
    record: { kind: "belongs_to", field: "record_id", model: "records", references: "id" },
    doctor: { kind: "belongs_to", field: "doctor_id", model: "doctors", references: "id" },
  },
  uniqueKeys: [{ name: "approvals_record_id_key", fields: ["record_id"] }],
  foreignKeys: [
    { name: "approvals_record_id_fkey", field: "record_id" },
    { name: "approvals_doctor_id_fkey", field: "doctor_id" },
  ],
});

/** Decision of a second doctor of the practice about a record. No caller can change or remove it. */
export interface ApprovalsRow {
  id: number;
  record_id: number;
  doctor_id: number;
  outcome: "approved" | "rejected";
  created_at: string;
  updated_at: string;
}

export interface ApprovalsCreate {
  record_id: number;
  doctor_id: number;
  outcome: "approved" | "rejected";
}

export type ApprovalsUpdate = Partial<ApprovalsCreate>;
export type ApprovalsUpsert = ApprovalsCreate & { id?: number };
export type ApprovalsWhere = Where<typeof model>;
export type ApprovalsOrder = OrderBy<typeof model>;
export type ApprovalsSelection = Selection<typeof model>;

export interface ApprovalsTypes {
  row: ApprovalsRow;
  create: ApprovalsCreate;
  update: ApprovalsUpdate;
  upsert: ApprovalsUpsert;
  where: ApprovalsWhere;
  order: ApprovalsOrder;
  selection: ApprovalsSelection;
}

export type ApprovalsHooks = Hooks<ApprovalsTypes>;
