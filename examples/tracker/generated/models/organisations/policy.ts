// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { callerColumn, definePolicy, eq } from "kirak/access";
import type { builtInUsers as users } from "kirak/users";
import { manager, member, owner } from "../../conditions.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model, { users: typeof users }>({
  fetch: {
    signed_in: member(),
    admin: true,
    superadmin: true,
  },
  search: {
    signed_in: member(),
  },
  count: "as fetch",
  exists: "as fetch",
  create: {
    signed_in: eq(callerColumn("is_active"), true),
  },
  update: {
    signed_in: manager(),
    admin: true,
    superadmin: true,
  },
  upsert: {},
  delete: {
    signed_in: owner(),
  },
  destroy: {},
  restore: {
    signed_in: owner(),
  },
  fields: {
    plan: { write: ["admin", "superadmin"] },
  },
});
