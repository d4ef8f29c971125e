// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, definePolicy, eq } from "../../../runtime/access/index.ts";
import type { model } from "./model.ts";

const userWhenCustomerId = { role: "user", when: eq("customer_id", caller.user_id) };
const staff = { role: "staff" };
const admin = { role: "admin" };
const userWhenCustomerIdAndStatus = {
  role: "user",
  when: and(eq("customer_id", caller.user_id), eq("status", "pending")),
};
const adminWhenStatus = { role: "admin", when: eq("status", "cancelled") };

export const policy = definePolicy<typeof model>({
  fetch: [userWhenCustomerId, staff, admin],
  search: [staff, admin],
  count: [userWhenCustomerId, staff, admin],
  exists: [userWhenCustomerId, staff, admin],
  create: [userWhenCustomerIdAndStatus, staff, admin],
  update: [userWhenCustomerIdAndStatus, staff, admin],
  upsert: { insert: [], update: [] },
  delete: [adminWhenStatus],
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
