// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, contains, definePolicy, field, gt, lt, ne, not, overlaps } from "kirak/access";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model>({
  fetch: {
    user: true,
    guest: and(
      overlaps("tags", ["a", "it's"]),
      not(contains("owners", "9007199254740993")),
      gt("price", "12.50"),
      ne("views", field("price")),
      lt("opens", "12:00:00.000"),
    ),
  },
  search: {},
  count: "as fetch",
  exists: "as fetch",
  create: { user: true },
  update: {},
  upsert: "as create and update",
  delete: {},
  destroy: {},
  restore: {},
  fields: {
    extra: { read: ["admin"] },
    code: { write: [] },
    created_at: { read: ["admin"] },
  },
});
