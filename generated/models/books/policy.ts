// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, definePolicy, eq, isIn, lte, ne, now } from "../../../runtime/access/index.ts";
import type { model } from "./model.ts";

const everyoneWhenStatusAndPublishedAt = {
  role: "*",
  when: and(eq("status", "published"), lte("published_at", now)),
};
const userWhenStatusAndPublishedAt = {
  role: "user",
  when: and(isIn("status", ["published", "out_of_print"]), lte("published_at", now)),
};
const staff = { role: "staff" };
const admin = { role: "admin" };
const staffWhenStatus = { role: "staff", when: ne("status", "published") };

export const policy = definePolicy<typeof model>({
  fetch: [everyoneWhenStatusAndPublishedAt, userWhenStatusAndPublishedAt, staff, admin],
  search: [everyoneWhenStatusAndPublishedAt, staff, admin],
  count: [everyoneWhenStatusAndPublishedAt, userWhenStatusAndPublishedAt, staff, admin],
  exists: [everyoneWhenStatusAndPublishedAt, userWhenStatusAndPublishedAt, staff, admin],
  create: [staff, admin],
  update: [staff, admin],
  upsert: { insert: [staff, admin], update: [staff, admin] },
  delete: [staffWhenStatus, admin],
  destroy: [admin],
  restore: [staff, admin],
  fields: {
    cost_cents: { read: ["staff", "admin"], write: ["staff", "admin"] },
    stock: { write: ["staff", "admin"] },
    average_rating: { write: [] },
    updated_at: { read: ["staff", "admin"] },
  },
});
