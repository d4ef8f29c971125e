// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { caller, definePolicy, eq } from "kirak/access";
import type { model } from "./model.ts";

const userWhenUserIdIsCaller = { role: "user", when: eq("user_id", caller.user_id) };
const staff = { role: "staff" };
const admin = { role: "admin" };

export const policy = definePolicy<typeof model>({
  fetch: [userWhenUserIdIsCaller, staff, admin],
  search: [staff, admin],
  count: [userWhenUserIdIsCaller, staff, admin],
  exists: [userWhenUserIdIsCaller, staff, admin],
  create: [userWhenUserIdIsCaller, staff, admin],
  update: [userWhenUserIdIsCaller, staff, admin],
  upsert: { insert: [userWhenUserIdIsCaller, staff, admin], update: [userWhenUserIdIsCaller, staff, admin] },
  delete: [admin],
  destroy: [],
  restore: [],
  fields: {
    loyalty_tier: { write: ["staff", "admin"] },
    staff_notes: { read: ["staff", "admin"], write: ["staff", "admin"] },
  },
});
