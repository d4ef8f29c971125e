// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { definePolicy } from "kirak/access";
import type { model } from "./model.ts";

const user = { role: "user" };

export const policy = definePolicy<typeof model>({
  fetch: [user],
  search: [],
  count: [user],
  exists: [user],
  create: [user],
  update: [],
  upsert: { insert: [user], update: [] },
  delete: [],
  destroy: [],
  restore: [],
  fields: {
    extra: { read: ["admin"] },
    code: { write: [] },
    created_at: { read: ["admin"] },
  },
});
