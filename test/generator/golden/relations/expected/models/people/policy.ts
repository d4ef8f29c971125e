// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { definePolicy, eq } from "kirak/access";
import type { model as companies } from "../companies/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model, { companies: typeof companies }>({
  fetch: {
    "*": eq("company.name", "open"),
  },
  search: {},
  count: "as fetch",
  exists: "as fetch",
  create: {},
  update: {},
  upsert: "as create and update",
  delete: {},
  destroy: {},
  restore: {},
  fields: {},
});
