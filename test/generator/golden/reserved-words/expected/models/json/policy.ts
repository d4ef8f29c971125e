// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { definePolicy } from "kirak/access";
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
