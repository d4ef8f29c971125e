// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "appointments",
  typeName: "Appointments",
  table: "appointments",
  slug: "appointments",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    patient_id: { kind: "bigint" },
    doctor_id: { kind: "bigint" },
    starts_at: { kind: "datetime" },
    ends_at: { kind: "datetime" },
    status: { kind: "string", enum: ["requested", "confirmed", "cancelled"], default: "requested" },
  },
  relations: {
    patient: { kind: "belongs_to", field: "patient_id", model: "patients", references: "id" },
    doctor: { kind: "belongs_to", field: "doctor_id", model: "doctors", references: "id" },
  },
  uniqueKeys: [],
  foreignKeys: [
    { name: "appointments_patient_id_fkey", field: "patient_id" },
    { name: "appointments_doctor_id_fkey", field: "doctor_id" },
  ],
  checks: [
    {
      constraint: "appointments_01_ends_after_start_check",
      name: "ends_after_start",
      field: "ends_at",
      message: "An appointment ends after it starts.",
    },
  ],
});

/** A patient requests an appointment, and the practice confirms it. A doctor sees one patient at a time. */
export interface AppointmentsRow {
  id: number;
  patient_id: number;
  doctor_id: number;
  starts_at: string;
  ends_at: string;
  status: "requested" | "confirmed" | "cancelled";
  created_at: string;
  updated_at: string;
}

export interface AppointmentsCreate {
  patient_id: number;
  doctor_id: number;
  starts_at: string;
  ends_at?: string;
  status?: "requested" | "confirmed" | "cancelled";
}

export type AppointmentsUpdate = Partial<AppointmentsCreate>;
export type AppointmentsUpsert = AppointmentsCreate &
  Required<Pick<AppointmentsCreate, "ends_at">> & { id?: number };
export type AppointmentsWhere = Where<typeof model>;
export type AppointmentsOrder = OrderBy<typeof model>;
export type AppointmentsSelection = Selection<typeof model>;

export interface AppointmentsTypes {
  row: AppointmentsRow;
  create: AppointmentsCreate;
  update: AppointmentsUpdate;
  upsert: AppointmentsUpsert;
  where: AppointmentsWhere;
  order: AppointmentsOrder;
  selection: AppointmentsSelection;
}

export type AppointmentsHooks = Hooks<AppointmentsTypes>;
