// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { definePolicy } from "kirak/access";
import { defineLimits } from "kirak/rate-limit";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model>({
  fetch: { "*": true },
  search: { "*": true },
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
  default: { maxRequests: 30, windowSeconds: 10, per: "user" },
  fetch: { maxRequests: 600, windowSeconds: 60, per: "ip" },
  search: "off",
  create: { maxRequests: 5, windowSeconds: 60, per: "user" },
  restore: { maxRequests: 1, windowSeconds: 3600, per: "model" },
});
