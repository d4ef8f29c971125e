// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { definePolicy } from "kirak/access";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model>({
  fetch: {},
  search: {},
  count: "as fetch",
  exists: "as fetch",
  create: { user: true },
  update: {},
  upsert: { user: true },
  delete: {},
  destroy: {},
  restore: {},
  fields: {},
});
