// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import {
  and,
  caller,
  definePolicy,
  gt,
  isIn,
  isNull,
  lte,
  notIn,
  now,
  or,
} from "../../../runtime/access/index.ts";
import type { model } from "./model.ts";

const everyoneWhenAudienceAndStartsAtAndEndsAt = {
  role: "*",
  when: and(
    isIn("audience", ["everyone", caller.role]),
    lte("starts_at", now),
    or(isNull("ends_at"), gt("ends_at", now)),
  ),
};
const admin = { role: "admin" };
const staffWhenAudience = { role: "staff", when: notIn("audience", ["admin"]) };

export const policy = definePolicy<typeof model>({
  fetch: [everyoneWhenAudienceAndStartsAtAndEndsAt, admin],
  search: [],
  count: [everyoneWhenAudienceAndStartsAtAndEndsAt, admin],
  exists: [everyoneWhenAudienceAndStartsAtAndEndsAt, admin],
  create: [staffWhenAudience, admin],
  update: [staffWhenAudience, admin],
  upsert: { insert: [staffWhenAudience, admin], update: [staffWhenAudience, admin] },
  delete: [admin],
  destroy: [],
  restore: [],
  fields: {},
});
