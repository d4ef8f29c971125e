// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { definePolicy } from "kirak/access";
import { defineLimits } from "kirak/rate-limit";
import type { model } from "./model.ts";

const limitsRole = { role: "limits" };

export const policy = definePolicy<typeof model>({
  fetch: [],
  search: [],
  count: [],
  exists: [],
  create: [limitsRole],
  update: [],
  upsert: { insert: [limitsRole], update: [] },
  delete: [],
  destroy: [],
  restore: [],
  fields: {},
});

export const limits = defineLimits({
  create: { maxRequests: 5, windowSeconds: 60, per: "user" },
});
