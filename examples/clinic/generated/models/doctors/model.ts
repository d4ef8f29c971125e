// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "doctors",
  typeName: "Doctors",
  table: "doctors",
  slug: "doctors",
  id: "bigint",
  softDelete: true,
  maxLimit: 1000,
  fields: {
    practice_id: { kind: "bigint" },
    user_id: { kind: "bigint" },
    name: { kind: "string", searchable: true },
    specialty: { kind: "string", default: "general" },
  },
  relations: {
    practice: { kind: "belongs_to", field: "practice_id", model: "practices", references: "id" },
    user: { kind: "belongs_to", field: "user_id", model: "users", references: "id" },
    patients: { kind: "has_many", field: "id", model: "patients", references: "doctor_id" },
    appointments: { kind: "has_many", field: "id", model: "appointments", references: "doctor_id" },
  },
  uniqueKeys: [{ name: "doctors_practice_id_user_id_key", fields: ["practice_id", "user_id"] }],
  foreignKeys: [
    { name: "doctors_practice_id_fkey", field: "practice_id" },
    { name: "doctors_user_id_fkey", field: "user_id" },
  ],
});

/** Everyone can find active doctors. The practice adds and removes its doctors. */
export interface DoctorsRow {
  id: number;
  practice_id: number;
  user_id: number;
  name: string;
  specialty: string;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface DoctorsCreate {
  practice_id: number;
  user_id: number;
  name: string;
  specialty?: string;
}

export type DoctorsUpdate = Partial<DoctorsCreate>;
export type DoctorsUpsert = DoctorsCreate & { id?: number };
export type DoctorsWhere = Where<typeof model>;
export type DoctorsOrder = OrderBy<typeof model>;
export type DoctorsSelection = Selection<typeof model>;

export interface DoctorsTypes {
  row: DoctorsRow;
  create: DoctorsCreate;
  update: DoctorsUpdate;
  upsert: DoctorsUpsert;
  where: DoctorsWhere;
  order: DoctorsOrder;
  selection: DoctorsSelection;
}

export type DoctorsHooks = Hooks<DoctorsTypes>;
