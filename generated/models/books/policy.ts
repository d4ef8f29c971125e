// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, definePolicy, eq, isIn, lte, ne, now } from "kirak/access";
import type { model } from "./model.ts";

const everyoneWhenStatusPublishedAndPublishedAtAtMostNow = {
  role: "*",
  when: and(eq("status", "published"), lte("published_at", now)),
};
const userWhenStatusAndPublishedAt_e8b2d6 = {
  role: "user",
  when: and(isIn("status", ["published", "out_of_print"]), lte("published_at", now)),
};
const staff = { role: "staff" };
const admin = { role: "admin" };
const staffWhenStatusNotPublished = { role: "staff", when: ne("status", "published") };

export const policy = definePolicy<typeof model>({
  fetch: [
    everyoneWhenStatusPublishedAndPublishedAtAtMostNow,
    userWhenStatusAndPublishedAt_e8b2d6,
    staff,
    admin,
  ],
  search: [everyoneWhenStatusPublishedAndPublishedAtAtMostNow, staff, admin],
  count: [
    everyoneWhenStatusPublishedAndPublishedAtAtMostNow,
    userWhenStatusAndPublishedAt_e8b2d6,
    staff,
    admin,
  ],
  exists: [
    everyoneWhenStatusPublishedAndPublishedAtAtMostNow,
    userWhenStatusAndPublishedAt_e8b2d6,
    staff,
    admin,
  ],
  create: [staff, admin],
  update: [staff, admin],
  upsert: { insert: [staff, admin], update: [staff, admin] },
  delete: [staffWhenStatusNotPublished, admin],
  destroy: [admin],
  restore: [staff, admin],
  fields: {
    cost_cents: { read: ["staff", "admin"], write: ["staff", "admin"] },
    stock: { write: ["staff", "admin"] },
    average_rating: { write: [] },
    updated_at: { read: ["staff", "admin"] },
  },
});
