// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "patients",
  typeName: "Patients",
  table: "patients",
  slug: "patients",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    practice_id: { kind: "bigint" },
    doctor_id: { kind: "bigint" },
    user_id: { kind: "bigint", nullable: true },
    name: { kind: "string", searchable: true },
    born_on: { kind: "date" },
    closed_at: { kind: "datetime", nullable: true },
  },
  relations: {
    practice: { kind: "belongs_to", field: "practice_id", model: "practices", references: "id" },
    doctor: { kind: "belongs_to", field: "doctor_id", model: "doctors", references: "id" },
    user: { kind: "belongs_to", field: "user_id", model: "users", references: "id" },
    appointments: { kind: "has_many", field: "id", model: "appointments", references: "patient_id" },
    records: { kind: "has_many", field: "id", model: "records", references: "patient_id" },
  },
  uniqueKeys: [],
  foreignKeys: [
    { name: "patients_practice_id_fkey", field: "practice_id" },
    { name: "patients_doctor_id_fkey", field: "doctor_id" },
    { name: "patients_user_id_fkey", field: "user_id" },
  ],
});

/** A patient's file at one practice. After it is closed, only the doctor can change or reopen it. */
export interface PatientsRow {
  id: number;
  practice_id: number;
  /** The patient's doctor, at the same practice. */
  doctor_id: number;
  /** The patient's account, if one exists. */
  user_id: number | null;
  name: string;
  born_on: string;
  closed_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface PatientsCreate {
  practice_id: number;
  doctor_id: number;
  user_id?: number | null;
  name: string;
  born_on: string;
  closed_at?: string | null;
}

export type PatientsUpdate = Partial<PatientsCreate>;
export type PatientsUpsert = PatientsCreate & { id?: number };
export type PatientsWhere = Where<typeof model>;
export type PatientsOrder = OrderBy<typeof model>;
export type PatientsSelection = Selection<typeof model>;

export interface PatientsTypes {
  row: PatientsRow;
  create: PatientsCreate;
  update: PatientsUpdate;
  upsert: PatientsUpsert;
  where: PatientsWhere;
  order: PatientsOrder;
  selection: PatientsSelection;
}

export type PatientsHooks = Hooks<PatientsTypes>;
