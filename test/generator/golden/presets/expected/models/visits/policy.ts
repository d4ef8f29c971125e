// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { definePolicy } from "kirak/access";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model>({
  fetch: { staff: true },
  search: {},
  count: "as fetch",
  exists: "as fetch",
  create: { signed_in: true },
  update: {},
  upsert: "as create and update",
  delete: {},
  destroy: {},
  restore: {},
  fields: {
    user_id: { write: [] },
    day: { write: [] },
  },
});
