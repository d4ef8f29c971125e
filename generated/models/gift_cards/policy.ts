// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, between, caller, definePolicy, eq, isNull } from "kirak/access";
import type { model } from "./model.ts";

const userWhenRecipientEmailIsCallerEmailAndRedeemedAtNull = {
  role: "user",
  when: and(eq("recipient_email", caller.email), isNull("redeemed_at")),
};
const staff = { role: "staff" };
const admin = { role: "admin" };
const staffWhenAmountCentsFrom1000To5000 = { role: "staff", when: between("amount_cents", 1000, 5000) };

export const policy = definePolicy<typeof model>({
  fetch: [userWhenRecipientEmailIsCallerEmailAndRedeemedAtNull, staff, admin],
  search: [staff, admin],
  count: [admin],
  exists: [userWhenRecipientEmailIsCallerEmailAndRedeemedAtNull, staff, admin],
  create: [staffWhenAmountCentsFrom1000To5000, admin],
  update: [staff, admin],
  upsert: { insert: [staffWhenAmountCentsFrom1000To5000, admin], update: [staff, admin] },
  delete: [],
  destroy: [],
  restore: [],
  fields: {},
});
