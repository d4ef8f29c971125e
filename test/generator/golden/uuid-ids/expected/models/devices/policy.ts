// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { definePolicy } from "kirak/access";
import type { model } from "./model.ts";

const everyone = { role: "*" };
const user = { role: "user" };

export const policy = definePolicy<typeof model>({
  fetch: [everyone],
  search: [],
  count: [everyone],
  exists: [everyone],
  create: [user],
  update: [],
  upsert: { insert: [user], update: [] },
  delete: [],
  destroy: [],
  restore: [],
  fields: {},
});
