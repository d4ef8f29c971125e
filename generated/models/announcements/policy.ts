// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, definePolicy, gt, isIn, isNull, lte, notIn, now, or } from "kirak/access";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model>({
  fetch: {
    "*": and(
      isIn("audience", ["everyone", caller.role]),
      lte("starts_at", now),
      or(isNull("ends_at"), gt("ends_at", now)),
    ),
    admin: true,
  },
  search: {},
  count: "as fetch",
  exists: "as fetch",
  create: {
    staff: notIn("audience", ["admin"]),
    admin: true,
  },
  update: {
    staff: notIn("audience", ["admin"]),
    admin: true,
  },
  upsert: "as create and update",
  delete: { admin: true },
  destroy: {},
  restore: {},
  fields: {},
});
