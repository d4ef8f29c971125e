// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, definePolicy, eq } from "../../../runtime/access/index.ts";
import type { model } from "./model.ts";

const userWhenOrderCustomerId = { role: "user", when: eq("order.customer_id", caller.user_id) };
const staff = { role: "staff" };
const admin = { role: "admin" };
const userWhenOrderCustomerIdAndOrderStatus = {
  role: "user",
  when: and(eq("order.customer_id", caller.user_id), eq("order.status", "pending")),
};
const staffWhenOrderStatus = { role: "staff", when: eq("order.status", "pending") };
const adminWhenOrderStatus = { role: "admin", when: eq("order.status", "pending") };

export const policy = definePolicy<typeof model>({
  fetch: [userWhenOrderCustomerId, staff, admin],
  search: [],
  count: [userWhenOrderCustomerId, staff, admin],
  exists: [userWhenOrderCustomerId, staff, admin],
  create: [userWhenOrderCustomerIdAndOrderStatus, staffWhenOrderStatus, adminWhenOrderStatus],
  update: [],
  upsert: { insert: [], update: [] },
  delete: [userWhenOrderCustomerIdAndOrderStatus, staffWhenOrderStatus, adminWhenOrderStatus],
  destroy: [],
  restore: [],
  fields: {
    unit_price_cents: { write: [] },
  },
});
