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
  fetch: { maxRequests: 5, windowSeconds: 60, per: "ip" },
  search: { maxRequests: 5, windowSeconds: 60, per: "ip" },
  count: { maxRequests: 5, windowSeconds: 60, per: "ip" },
  exists: { maxRequests: 5, windowSeconds: 60, per: "ip" },
  create: { maxRequests: 5, windowSeconds: 60, per: "ip" },
  update: { maxRequests: 5, windowSeconds: 60, per: "ip" },
  upsert: { maxRequests: 5, windowSeconds: 60, per: "ip" },
  delete: { maxRequests: 5, windowSeconds: 60, per: "ip" },
  destroy: { maxRequests: 5, windowSeconds: 60, per: "ip" },
});
