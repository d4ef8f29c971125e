// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { definePolicy, eq } from "kirak/access";
import type { model } from "./model.ts";

const everyoneWhenCompanyNameOpen = { role: "*", when: eq("company.name", "open") };

export const policy = definePolicy<typeof model>({
  fetch: [everyoneWhenCompanyNameOpen],
  search: [],
  count: [everyoneWhenCompanyNameOpen],
  exists: [everyoneWhenCompanyNameOpen],
  create: [],
  update: [],
  upsert: { insert: [], update: [] },
  delete: [],
  destroy: [],
  restore: [],
  fields: {},
});
