// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { definePolicy } from "kirak/access";
import { defineLimits } from "kirak/rate-limit";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model>({
  fetch: { "*": true },
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

export const limits = defineLimits({
  default: "off",
});
