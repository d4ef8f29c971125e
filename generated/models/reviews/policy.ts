// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, definePolicy, eq, isNull, or } from "../../../runtime/access/index.ts";
import type { model } from "./model.ts";

const guestWhenStatus = { role: "guest", when: eq("status", "approved") };
const userWhenStatusAndCustomerId = {
  role: "user",
  when: or(eq("status", "approved"), eq("customer_id", caller.user_id)),
};
const staff = { role: "staff" };
const admin = { role: "admin" };
const everyoneWhenStatus = { role: "*", when: eq("status", "approved") };
const userWhenCustomerIdAndStatus = {
  role: "user",
  when: and(eq("customer_id", caller.user_id), eq("status", "pending")),
};
const userWhenCustomerIdAndModeratedAt = {
  role: "user",
  when: and(eq("customer_id", caller.user_id), isNull("moderated_at")),
};
const userWhenCustomerId = { role: "user", when: eq("customer_id", caller.user_id) };

export const policy = definePolicy<typeof model>({
  fetch: [guestWhenStatus, userWhenStatusAndCustomerId, staff, admin],
  search: [everyoneWhenStatus],
  count: [guestWhenStatus, userWhenStatusAndCustomerId, staff, admin],
  exists: [guestWhenStatus, userWhenStatusAndCustomerId, staff, admin],
  create: [userWhenCustomerIdAndStatus],
  update: [userWhenCustomerIdAndModeratedAt, staff, admin],
  upsert: { insert: [userWhenCustomerIdAndModeratedAt], update: [userWhenCustomerIdAndModeratedAt] },
  delete: [userWhenCustomerId, staff, admin],
  destroy: [],
  restore: [staff, admin],
  fields: {
    book_id: { write: ["user"] },
    status: { write: ["staff", "admin"] },
    moderated_at: { read: ["user", "staff", "admin"], write: [] },
  },
});
