// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { ago, and, caller, definePolicy, eq, exists, field, fromNow, gt, isNull, lt, or } from "kirak/access";
import { works_at } from "../../conditions.ts";
import type { model as appointments } from "../appointments/model.ts";
import type { model as doctors } from "../doctors/model.ts";
import type { model as practices } from "../practices/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<
  typeof model,
  { appointments: typeof appointments; doctors: typeof doctors; practices: typeof practices }
>({
  fetch: {
    signed_in: or(
      eq("user_id", caller.user_id),
      eq("doctor.user_id", caller.user_id),
      works_at("practice"),
      exists(
        "appointments",
        and(
          eq("doctor.user_id", caller.user_id),
          eq("status", "confirmed"),
          lt("starts_at", fromNow(1, "day")),
          gt("ends_at", ago(1, "day")),
        ),
      ),
    ),
  },
  search: {
    signed_in: works_at("practice"),
  },
  count: "as fetch",
  exists: "as fetch",
  create: {
    signed_in: and(isNull("closed_at"), eq("doctor.practice_id", field("practice_id")), works_at("practice")),
  },
  update: {
    signed_in: or(
      and(isNull("closed_at"), eq("doctor.practice_id", field("practice_id")), works_at("practice")),
      and(eq("doctor.user_id", caller.user_id), eq("doctor.practice_id", field("practice_id"))),
    ),
  },
  upsert: {},
  delete: {},
  destroy: {},
  restore: {},
  fields: {},
});
