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
  fetch: { maxRequests: 1000000000, windowSeconds: 31536000, per: "model" },
  search: { maxRequests: 1000000000, windowSeconds: 31536000, per: "model" },
  count: { maxRequests: 1000000000, windowSeconds: 31536000, per: "model" },
  exists: { maxRequests: 1000000000, windowSeconds: 31536000, per: "model" },
  create: { maxRequests: 1000000000, windowSeconds: 31536000, per: "model" },
  update: { maxRequests: 1000000000, windowSeconds: 31536000, per: "model" },
  upsert: { maxRequests: 1000000000, windowSeconds: 31536000, per: "model" },
  delete: { maxRequests: 1000000000, windowSeconds: 31536000, per: "model" },
  destroy: { maxRequests: 1000000000, windowSeconds: 31536000, per: "model" },
});
