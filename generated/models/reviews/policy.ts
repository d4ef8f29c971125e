// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, definePolicy, eq, isNull, or } from "kirak/access";
import { defineLimits } from "kirak/rate-limit";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model>({
  fetch: {
    guest: eq("status", "approved"),
    user: or(eq("status", "approved"), eq("customer_id", caller.user_id)),
    staff: true,
    admin: true,
  },
  search: {
    "*": eq("status", "approved"),
  },
  count: "as fetch",
  exists: "as fetch",
  create: {
    user: and(eq("customer_id", caller.user_id), eq("status", "pending")),
  },
  update: {
    user: and(eq("customer_id", caller.user_id), isNull("moderated_at")),
    staff: true,
    admin: true,
  },
  upsert: {
    user: and(eq("customer_id", caller.user_id), isNull("moderated_at")),
  },
  delete: {
    user: eq("customer_id", caller.user_id),
    staff: true,
    admin: true,
  },
  destroy: {},
  restore: { staff: true, admin: true },
  fields: {
    book_id: { write: ["user"] },
    status: { write: ["staff", "admin"] },
    moderated_at: { read: ["user", "staff", "admin"], write: [] },
  },
});

export const limits = defineLimits({
  create: { maxRequests: 10, windowSeconds: 3600, per: "user" },
});
