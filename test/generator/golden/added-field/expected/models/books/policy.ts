// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { definePolicy } from "kirak/access";
import type { model } from "./model.ts";

const user = { role: "user" };
const guest = { role: "guest" };

export const policy = definePolicy<typeof model>({
  fetch: [user, guest],
  search: [],
  count: [user, guest],
  exists: [user, guest],
  create: [],
  update: [],
  upsert: { insert: [], update: [] },
  delete: [],
  destroy: [],
  restore: [],
  fields: {},
});
