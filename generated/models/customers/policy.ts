// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { caller, definePolicy, eq } from "../../../runtime/access/index.ts";
import type { model } from "./model.ts";

const userWhenUserId = { role: "user", when: eq("user_id", caller.user_id) };
const staff = { role: "staff" };
const admin = { role: "admin" };

export const policy = definePolicy<typeof model>({
  fetch: [userWhenUserId, staff, admin],
  search: [staff, admin],
  count: [userWhenUserId, staff, admin],
  exists: [userWhenUserId, staff, admin],
  create: [userWhenUserId, staff, admin],
  update: [userWhenUserId, staff, admin],
  upsert: { insert: [userWhenUserId, staff, admin], update: [userWhenUserId, staff, admin] },
  delete: [admin],
  destroy: [],
  restore: [],
  fields: {
    loyalty_tier: { write: ["staff", "admin"] },
    staff_notes: { read: ["staff", "admin"], write: ["staff", "admin"] },
  },
});
