// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { definePolicy } from "kirak/access";
import type { model } from "./model.ts";

const admin = { role: "admin" };

export const policy = definePolicy<typeof model>({
  fetch: [],
  search: [admin],
  count: [],
  exists: [],
  create: [],
  update: [],
  upsert: { insert: [], update: [] },
  delete: [],
  destroy: [],
  restore: [],
  fields: {},
});
