// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, definePolicy, eq, exists, isNull, not } from "kirak/access";
import type { model as patients } from "../patients/model.ts";
import type { model as practices } from "../practices/model.ts";
import type { model as staff } from "../staff/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<
  typeof model,
  { patients: typeof patients; practices: typeof practices; staff: typeof staff }
>({
  fetch: { "*": true },
  search: { "*": true },
  count: "as fetch",
  exists: "as fetch",
  create: {
    signed_in: exists("practice.staff", and(eq("user_id", caller.user_id), eq("duty", "manager"))),
  },
  update: {
    signed_in: exists("practice.staff", and(eq("user_id", caller.user_id), eq("duty", "manager"))),
  },
  upsert: {},
  delete: {
    signed_in: and(
      exists("practice.staff", and(eq("user_id", caller.user_id), eq("duty", "manager"))),
      not(exists("patients", isNull("closed_at"))),
    ),
  },
  destroy: {},
  restore: {},
  fields: {
    user_id: { read: ["signed_in"] },
  },
});
