// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, definePolicy, eq } from "kirak/access";
import { defineLimits } from "kirak/rate-limit";
import type { model } from "./model.ts";

const userWhenCustomerIdIsCaller = { role: "user", when: eq("customer_id", caller.user_id) };
const staff = { role: "staff" };
const admin = { role: "admin" };
const userWhenCustomerIdIsCallerAndStatusPending = {
  role: "user",
  when: and(eq("customer_id", caller.user_id), eq("status", "pending")),
};
const adminWhenStatusCancelled = { role: "admin", when: eq("status", "cancelled") };

export const policy = definePolicy<typeof model>({
  fetch: [userWhenCustomerIdIsCaller, staff, admin],
  search: [staff, admin],
  count: [userWhenCustomerIdIsCaller, staff, admin],
  exists: [userWhenCustomerIdIsCaller, staff, admin],
  create: [userWhenCustomerIdIsCallerAndStatusPending, staff, admin],
  update: [userWhenCustomerIdIsCallerAndStatusPending, staff, admin],
  upsert: { insert: [], update: [] },
  delete: [adminWhenStatusCancelled],
  destroy: [],
  restore: [],
  fields: {
    reference: { write: [] },
    customer_id: { write: ["staff", "admin"] },
    status: { write: ["staff", "admin"] },
    placed_at: { write: [] },
    total_cents: { write: [] },
    gift_card_id: { write: ["staff", "admin"] },
  },
});

export const limits = defineLimits({
  fetch: { maxRequests: 60, windowSeconds: 60, per: "user" },
  search: { maxRequests: 60, windowSeconds: 60, per: "user" },
  count: { maxRequests: 60, windowSeconds: 60, per: "user" },
  exists: { maxRequests: 60, windowSeconds: 60, per: "user" },
  create: { maxRequests: 60, windowSeconds: 60, per: "user" },
  update: { maxRequests: 60, windowSeconds: 60, per: "user" },
  upsert: { maxRequests: 60, windowSeconds: 60, per: "user" },
  delete: { maxRequests: 60, windowSeconds: 60, per: "user" },
  destroy: { maxRequests: 60, windowSeconds: 60, per: "user" },
});
