// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, definePolicy, eq, isNotNull } from "kirak/access";
import type { model } from "./model.ts";

const userWhenOrderCustomerIdIsCallerAndShippedAtNotNull = {
  role: "user",
  when: and(eq("order.customer_id", caller.user_id), isNotNull("shipped_at")),
};
const staff = { role: "staff" };
const admin = { role: "admin" };

export const policy = definePolicy<typeof model>({
  fetch: [userWhenOrderCustomerIdIsCallerAndShippedAtNotNull, staff, admin],
  search: [],
  count: [userWhenOrderCustomerIdIsCallerAndShippedAtNotNull, staff, admin],
  exists: [userWhenOrderCustomerIdIsCallerAndShippedAtNotNull, staff, admin],
  create: [staff, admin],
  update: [staff, admin],
  upsert: { insert: [staff, admin], update: [staff, admin] },
  delete: [admin],
  destroy: [],
  restore: [],
  fields: {},
});
