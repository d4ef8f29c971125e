// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, definePolicy, gt, isIn, isNull, lte, notIn, now, or } from "kirak/access";
import type { model } from "./model.ts";

const everyoneWhenAudienceAndStartsAtAndEndsAt_e4c9b6 = {
  role: "*",
  when: and(
    isIn("audience", ["everyone", caller.role]),
    lte("starts_at", now),
    or(isNull("ends_at"), gt("ends_at", now)),
  ),
};
const admin = { role: "admin" };
const staffWhenAudienceNotInAdmin = { role: "staff", when: notIn("audience", ["admin"]) };

export const policy = definePolicy<typeof model>({
  fetch: [everyoneWhenAudienceAndStartsAtAndEndsAt_e4c9b6, admin],
  search: [],
  count: [everyoneWhenAudienceAndStartsAtAndEndsAt_e4c9b6, admin],
  exists: [everyoneWhenAudienceAndStartsAtAndEndsAt_e4c9b6, admin],
  create: [staffWhenAudienceNotInAdmin, admin],
  update: [staffWhenAudienceNotInAdmin, admin],
  upsert: { insert: [staffWhenAudienceNotInAdmin, admin], update: [staffWhenAudienceNotInAdmin, admin] },
  delete: [admin],
  destroy: [],
  restore: [],
  fields: {},
});
