// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { definePolicy } from "../../../runtime/access/index.ts";
import { defineLimits } from "../../../runtime/rate-limit/index.ts";
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
