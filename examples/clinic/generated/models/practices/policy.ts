// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { definePolicy } from "kirak/access";
import { manages } from "../../conditions.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model>({
  fetch: { "*": true },
  search: { "*": true },
  count: "as fetch",
  exists: "as fetch",
  create: { admin: true },
  update: {
    admin: true,
    signed_in: manages(),
  },
  upsert: {},
  delete: {},
  destroy: {},
  restore: {},
  fields: {},
});
