// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, definePolicy, eq, isNull, or } from "kirak/access";
import { defineLimits } from "kirak/rate-limit";
import type { model } from "./model.ts";

const guestWhenStatusApproved = { role: "guest", when: eq("status", "approved") };
const userWhenStatusApprovedOrCustomerIdIsCaller = {
  role: "user",
  when: or(eq("status", "approved"), eq("customer_id", caller.user_id)),
};
const staff = { role: "staff" };
const admin = { role: "admin" };
const everyoneWhenStatusApproved = { role: "*", when: eq("status", "approved") };
const userWhenCustomerIdIsCallerAndStatusPending = {
  role: "user",
  when: and(eq("customer_id", caller.user_id), eq("status", "pending")),
};
const userWhenCustomerIdIsCallerAndModeratedAtNull = {
  role: "user",
  when: and(eq("customer_id", caller.user_id), isNull("moderated_at")),
};
const userWhenCustomerIdIsCaller = { role: "user", when: eq("customer_id", caller.user_id) };

export const policy = definePolicy<typeof model>({
  fetch: [guestWhenStatusApproved, userWhenStatusApprovedOrCustomerIdIsCaller, staff, admin],
  search: [everyoneWhenStatusApproved],
  count: [guestWhenStatusApproved, userWhenStatusApprovedOrCustomerIdIsCaller, staff, admin],
  exists: [guestWhenStatusApproved, userWhenStatusApprovedOrCustomerIdIsCaller, staff, admin],
  create: [userWhenCustomerIdIsCallerAndStatusPending],
  update: [userWhenCustomerIdIsCallerAndModeratedAtNull, staff, admin],
  upsert: {
    insert: [userWhenCustomerIdIsCallerAndModeratedAtNull],
    update: [userWhenCustomerIdIsCallerAndModeratedAtNull],
  },
  delete: [userWhenCustomerIdIsCaller, staff, admin],
  destroy: [],
  restore: [staff, admin],
  fields: {
    book_id: { write: ["user"] },
    status: { write: ["staff", "admin"] },
    moderated_at: { read: ["user", "staff", "admin"], write: [] },
  },
});

export const limits = defineLimits({
  create: { maxRequests: 10, windowSeconds: 3600, per: "user" },
});
