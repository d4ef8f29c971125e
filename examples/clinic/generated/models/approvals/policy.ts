// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, callerColumn, definePolicy, eq, field, ne, or } from "kirak/access";
import type { model as doctors } from "../doctors/model.ts";
import type { model as patients } from "../patients/model.ts";
import type { model as records } from "../records/model.ts";
import type { model as users } from "../users/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<
  typeof model,
  { doctors: typeof doctors; patients: typeof patients; records: typeof records; users: typeof users }
>({
  fetch: {
    signed_in: or(
      eq("doctor.user_id", caller.user_id),
      eq("record.doctor.user_id", caller.user_id),
      eq("record.patient.doctor.user_id", caller.user_id),
      eq(callerColumn("is_auditor"), true),
    ),
  },
  search: {},
  count: "as fetch",
  exists: "as fetch",
  create: {
    signed_in: and(
      eq("doctor.user_id", caller.user_id),
      ne("doctor_id", field("record.doctor_id")),
      eq("doctor.practice_id", field("record.patient.practice_id")),
    ),
  },
  update: {},
  upsert: {},
  delete: {},
  destroy: {},
  restore: {},
  fields: {},
});
