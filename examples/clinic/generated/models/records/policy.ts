// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import {
  ago,
  and,
  caller,
  callerColumn,
  definePolicy,
  eq,
  exists,
  field,
  gt,
  isNull,
  not,
  or,
} from "kirak/access";
import type { model as appointments } from "../appointments/model.ts";
import type { model as approvals } from "../approvals/model.ts";
import type { model as doctors } from "../doctors/model.ts";
import type { model as patients } from "../patients/model.ts";
import type { model as practices } from "../practices/model.ts";
import type { model as users } from "../users/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<
  typeof model,
  {
    appointments: typeof appointments;
    approvals: typeof approvals;
    doctors: typeof doctors;
    patients: typeof patients;
    practices: typeof practices;
    users: typeof users;
  }
>({
  fetch: {
    signed_in: or(
      eq("patient.doctor.user_id", caller.user_id),
      eq("doctor.user_id", caller.user_id),
      and(eq("patient.user_id", caller.user_id), eq("approval.outcome", "approved")),
      and(not(exists("approval")), exists("patient.practice.doctors", eq("user_id", caller.user_id))),
      and(eq(callerColumn("is_auditor"), true), exists("approval")),
    ),
  },
  search: {},
  count: "as fetch",
  exists: "as fetch",
  create: {
    signed_in: and(
      eq("doctor.user_id", caller.user_id),
      eq("doctor.practice_id", field("patient.practice_id")),
      isNull("patient.closed_at"),
      or(
        eq("patient.doctor_id", field("doctor_id")),
        exists(
          "patient.appointments",
          and(eq("doctor_id", field("this.doctor_id")), eq("status", "confirmed")),
        ),
      ),
    ),
  },
  update: {
    signed_in: and(
      eq("doctor.user_id", caller.user_id),
      gt("created_at", ago(15, "minute")),
      isNull("patient.closed_at"),
      eq("doctor.practice_id", field("patient.practice_id")),
      not(exists("approval")),
    ),
  },
  upsert: {},
  delete: {},
  destroy: {},
  restore: {},
  fields: {},
});
