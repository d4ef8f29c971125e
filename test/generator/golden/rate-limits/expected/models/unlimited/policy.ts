// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { definePolicy } from "kirak/access";
import { defineLimits } from "kirak/rate-limit";
import type { model } from "./model.ts";

const everyone = { role: "*" };

export const policy = definePolicy<typeof model>({
  fetch: [everyone],
  search: [],
  count: [everyone],
  exists: [everyone],
  create: [],
  update: [],
  upsert: { insert: [], update: [] },
  delete: [],
  destroy: [],
  restore: [],
  fields: {},
});

export const limits = defineLimits({
  fetch: "off",
  search: "off",
  count: "off",
  exists: "off",
  create: "off",
  update: "off",
  upsert: "off",
  delete: "off",
  destroy: "off",
});
