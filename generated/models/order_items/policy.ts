// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, definePolicy, eq } from "kirak/access";
import type { model } from "./model.ts";

const userWhenOrderCustomerIdIsCaller = { role: "user", when: eq("order.customer_id", caller.user_id) };
const staff = { role: "staff" };
const admin = { role: "admin" };
const userWhenOrderCustomerIdIsCallerAndOrderStatusPending = {
  role: "user",
  when: and(eq("order.customer_id", caller.user_id), eq("order.status", "pending")),
};
const staffWhenOrderStatusPending = { role: "staff", when: eq("order.status", "pending") };
const adminWhenOrderStatusPending = { role: "admin", when: eq("order.status", "pending") };

export const policy = definePolicy<typeof model>({
  fetch: [userWhenOrderCustomerIdIsCaller, staff, admin],
  search: [],
  count: [userWhenOrderCustomerIdIsCaller, staff, admin],
  exists: [userWhenOrderCustomerIdIsCaller, staff, admin],
  create: [
    userWhenOrderCustomerIdIsCallerAndOrderStatusPending,
    staffWhenOrderStatusPending,
    adminWhenOrderStatusPending,
  ],
  update: [],
  upsert: { insert: [], update: [] },
  delete: [
    userWhenOrderCustomerIdIsCallerAndOrderStatusPending,
    staffWhenOrderStatusPending,
    adminWhenOrderStatusPending,
  ],
  destroy: [],
  restore: [],
  fields: {
    unit_price_cents: { write: [] },
  },
});
