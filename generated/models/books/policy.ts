// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, definePolicy, eq, isIn, lte, ne, now } from "kirak/access";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model>({
  fetch: {
    "*": and(eq("status", "published"), lte("published_at", now)),
    user: and(isIn("status", ["published", "out_of_print"]), lte("published_at", now)),
    staff: true,
    admin: true,
  },
  search: {
    "*": and(eq("status", "published"), lte("published_at", now)),
    staff: true,
    admin: true,
  },
  count: "as fetch",
  exists: "as fetch",
  create: { staff: true, admin: true },
  update: { staff: true, admin: true },
  upsert: "as create and update",
  delete: {
    staff: ne("status", "published"),
    admin: true,
  },
  destroy: { admin: true },
  restore: { staff: true, admin: true },
  fields: {
    cost: { read: ["staff", "admin"], write: ["staff", "admin"] },
    stock: { write: ["staff", "admin"] },
    average_rating: { write: [] },
    updated_at: { read: ["staff", "admin"] },
  },
});
