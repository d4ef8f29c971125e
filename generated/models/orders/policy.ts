// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, definePolicy, eq } from "kirak/access";
import { defineLimits } from "kirak/rate-limit";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model>({
  fetch: {
    user: eq("customer_id", caller.user_id),
    staff: true,
    admin: true,
  },
  search: { staff: true, admin: true },
  count: "as fetch",
  exists: "as fetch",
  create: {
    user: and(eq("customer_id", caller.user_id), eq("status", "pending")),
    staff: true,
    admin: true,
  },
  update: {
    user: and(eq("customer_id", caller.user_id), eq("status", "pending")),
    staff: true,
    admin: true,
  },
  upsert: {},
  delete: {
    admin: eq("status", "cancelled"),
  },
  destroy: {},
  restore: {},
  fields: {
    reference: { write: [] },
    customer_id: { write: ["staff", "admin"] },
    status: { write: ["staff", "admin"] },
    total: { write: [] },
    gift_card_id: { write: ["staff", "admin"] },
    placed_at: { write: [] },
  },
});

export const limits = defineLimits({
  default: { maxRequests: 60, windowSeconds: 60, per: "user" },
});
