// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { definePolicy } from "kirak/access";
import type { model } from "./model.ts";

const nobody = { role: "nobody" };

export const policy = definePolicy<typeof model>({
  fetch: [nobody],
  search: [],
  count: [nobody],
  exists: [nobody],
  create: [],
  update: [],
  upsert: { insert: [], update: [] },
  delete: [],
  destroy: [],
  restore: [],
  fields: {},
});
