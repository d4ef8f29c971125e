// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { caller, definePolicy, eq } from "kirak/access";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model>({
  fetch: {
    user: eq("user_id", caller.user_id),
    staff: true,
    admin: true,
  },
  search: { staff: true, admin: true },
  count: "as fetch",
  exists: "as fetch",
  create: {
    user: eq("user_id", caller.user_id),
    staff: true,
    admin: true,
  },
  update: {
    user: eq("user_id", caller.user_id),
    staff: true,
    admin: true,
  },
  upsert: "as create and update",
  delete: { admin: true },
  destroy: {},
  restore: {},
  fields: {
    loyalty_tier: { write: ["staff", "admin"] },
    staff_notes: { read: ["staff", "admin"], write: ["staff", "admin"] },
  },
});
