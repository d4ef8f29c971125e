// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { definePolicy, eq } from "../../../runtime/access/index.ts";
import type { model } from "./model.ts";

const everyoneWhenCompanyName = { role: "*", when: eq("company.name", "open") };

export const policy = definePolicy<typeof model>({
  fetch: [everyoneWhenCompanyName],
  search: [],
  count: [everyoneWhenCompanyName],
  exists: [everyoneWhenCompanyName],
  create: [],
  update: [],
  upsert: { insert: [], update: [] },
  delete: [],
  destroy: [],
  restore: [],
  fields: {},
});
