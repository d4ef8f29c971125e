// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import {
  and,
  caller,
  callerColumn,
  definePolicy,
  eq,
  exists,
  field,
  fromNow,
  gt,
  isNull,
  lt,
  ne,
  not,
  or,
} from "kirak/access";
import { works_at } from "../../conditions.ts";
import type { model as doctors } from "../doctors/model.ts";
import type { model as patients } from "../patients/model.ts";
import type { model as practices } from "../practices/model.ts";
import type { model as users } from "../users/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<
  typeof model,
  { doctors: typeof doctors; patients: typeof patients; practices: typeof practices; users: typeof users }
>({
  fetch: {
    signed_in: or(
      eq("patient.user_id", caller.user_id),
      eq("doctor.user_id", caller.user_id),
      works_at("doctor.practice"),
    ),
  },
  search: {
    signed_in: works_at("doctor.practice"),
  },
  count: "as fetch",
  exists: "as fetch",
  create: {
    signed_in: and(
      eq("patient.user_id", caller.user_id),
      isNull("patient.closed_at"),
      eq(callerColumn("is_verified"), true),
      eq("status", "requested"),
      gt("starts_at", fromNow(1, "hour")),
      eq("doctor.practice_id", field("patient.practice_id")),
      not(
        exists(
          "doctor.appointments",
          and(
            ne("status", "cancelled"),
            lt("starts_at", field("this.ends_at")),
            gt("ends_at", field("this.starts_at")),
          ),
        ),
      ),
    ),
  },
  update: {
    signed_in: and(
      works_at("doctor.practice"),
      eq("doctor.practice_id", field("patient.practice_id")),
      or(
        eq("status", "cancelled"),
        not(
          exists(
            "doctor.appointments",
            and(
              ne("id", field("this.id")),
              ne("status", "cancelled"),
              lt("starts_at", field("this.ends_at")),
              gt("ends_at", field("this.starts_at")),
            ),
          ),
        ),
      ),
    ),
  },
  upsert: {},
  delete: {},
  destroy: {},
  restore: {},
  fields: {},
});
