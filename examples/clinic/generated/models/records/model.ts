// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "records",
  typeName: "Records",
  table: "records",
  slug: "records",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    patient_id: { kind: "bigint" },
    doctor_id: { kind: "bigint" },
    text: { kind: "text" },
  },
  relations: {
    patient: { kind: "belongs_to", field: "patient_id", model: "patients", references: "id" },
    doctor: { kind: "belongs_to", field: "doctor_id", model: "doctors", references: "id" },
    approval: { kind: "has_one", field: "id", model: "approvals", references: "record_id" },
  },
  uniqueKeys: [],
  foreignKeys: [
    { name: "records_patient_id_fkey", field: "patient_id" },
    { name: "records_doctor_id_fkey", field: "doctor_id" },
  ],
});

/** Notes of a doctor. The doctor can correct them for 15 minutes. The patient sees them after a colleague approved them. */
export interface RecordsRow {
  id: number;
  patient_id: number;
  doctor_id: number;
  text: string;
  created_at: string;
  updated_at: string;
}

export interface RecordsCreate {
  patient_id: number;
  doctor_id: number;
  text: string;
}

export type RecordsUpdate = Partial<RecordsCreate>;
export type RecordsUpsert = RecordsCreate & { id?: number };
export type RecordsWhere = Where<typeof model>;
export type RecordsOrder = OrderBy<typeof model>;
export type RecordsSelection = Selection<typeof model>;

export interface RecordsTypes {
  row: RecordsRow;
  create: RecordsCreate;
  update: RecordsUpdate;
  upsert: RecordsUpsert;
  where: RecordsWhere;
  order: RecordsOrder;
  selection: RecordsSelection;
}

export type RecordsHooks = Hooks<RecordsTypes>;
