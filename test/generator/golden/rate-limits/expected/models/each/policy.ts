// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { definePolicy } from "kirak/access";
import { defineLimits } from "kirak/rate-limit";
import type { model } from "./model.ts";

const everyone = { role: "*" };

export const policy = definePolicy<typeof model>({
  fetch: [everyone],
  search: [everyone],
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
  fetch: { maxRequests: 600, windowSeconds: 60, per: "ip" },
  search: "off",
  count: { maxRequests: 30, windowSeconds: 10, per: "user" },
  exists: { maxRequests: 30, windowSeconds: 10, per: "user" },
  create: { maxRequests: 5, windowSeconds: 60, per: "user" },
  update: { maxRequests: 30, windowSeconds: 10, per: "user" },
  upsert: { maxRequests: 30, windowSeconds: 10, per: "user" },
  delete: { maxRequests: 30, windowSeconds: 10, per: "user" },
  destroy: { maxRequests: 30, windowSeconds: 10, per: "user" },
  restore: { maxRequests: 1, windowSeconds: 3600, per: "model" },
});
