// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, between, caller, definePolicy, eq, isNull } from "kirak/access";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model>({
  fetch: {
    user: and(eq("recipient_email", caller.email), isNull("redeemed_at")),
    staff: true,
    admin: true,
  },
  search: { staff: true, admin: true },
  count: { admin: true },
  exists: "as fetch",
  create: {
    staff: between("amount", "10.00", "50.00"),
    admin: true,
  },
  update: { staff: true, admin: true },
  upsert: "as create and update",
  delete: {},
  destroy: {},
  restore: {},
  fields: {},
});
