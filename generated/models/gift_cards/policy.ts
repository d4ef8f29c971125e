// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, between, caller, definePolicy, eq, isNull } from "../../../runtime/access/index.ts";
import type { model } from "./model.ts";

const userWhenRecipientEmailAndRedeemedAt = {
  role: "user",
  when: and(eq("recipient_email", caller.email), isNull("redeemed_at")),
};
const staff = { role: "staff" };
const admin = { role: "admin" };
const staffWhenAmountCents = { role: "staff", when: between("amount_cents", 1000, 5000) };

export const policy = definePolicy<typeof model>({
  fetch: [userWhenRecipientEmailAndRedeemedAt, staff, admin],
  search: [staff, admin],
  count: [admin],
  exists: [userWhenRecipientEmailAndRedeemedAt, staff, admin],
  create: [staffWhenAmountCents, admin],
  update: [staff, admin],
  upsert: { insert: [staffWhenAmountCents, admin], update: [staff, admin] },
  delete: [],
  destroy: [],
  restore: [],
  fields: {},
});
