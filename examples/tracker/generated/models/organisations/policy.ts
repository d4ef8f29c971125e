// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, callerColumn, definePolicy, eq, exists, isIn } from "kirak/access";
import type { builtInUsers as users } from "kirak/users";
import type { model as memberships } from "../memberships/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model, { memberships: typeof memberships; users: typeof users }>({
  fetch: {
    signed_in: exists("memberships", eq("user_id", caller.user_id)),
    admin: true,
    superadmin: true,
  },
  search: {
    signed_in: exists("memberships", eq("user_id", caller.user_id)),
  },
  count: "as fetch",
  exists: "as fetch",
  create: {
    signed_in: eq(callerColumn("is_active"), true),
  },
  update: {
    signed_in: exists("memberships", and(eq("user_id", caller.user_id), isIn("role", ["owner", "admin"]))),
    admin: true,
    superadmin: true,
  },
  upsert: {},
  delete: {
    signed_in: exists("memberships", and(eq("user_id", caller.user_id), eq("role", "owner"))),
  },
  destroy: {},
  restore: {
    signed_in: exists("memberships", and(eq("user_id", caller.user_id), eq("role", "owner"))),
  },
  fields: {
    plan: { write: ["admin", "superadmin"] },
  },
});
