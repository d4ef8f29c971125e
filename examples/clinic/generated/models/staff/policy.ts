// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, definePolicy, eq, exists } from "kirak/access";
import type { model as practices } from "../practices/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model, { practices: typeof practices }>({
  fetch: {
    admin: true,
    signed_in: exists("practice.staff", eq("user_id", caller.user_id)),
  },
  search: {},
  count: "as fetch",
  exists: "as fetch",
  create: {
    admin: true,
    signed_in: and(
      eq("duty", "reception"),
      exists("practice.staff", and(eq("user_id", caller.user_id), eq("duty", "manager"))),
    ),
  },
  update: {},
  upsert: {},
  delete: {
    admin: true,
    signed_in: and(
      eq("duty", "reception"),
      exists("practice.staff", and(eq("user_id", caller.user_id), eq("duty", "manager"))),
    ),
  },
  destroy: {},
  restore: {},
  fields: {},
});
