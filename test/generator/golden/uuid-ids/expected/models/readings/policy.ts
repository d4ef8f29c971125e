// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { caller, definePolicy, eq } from "kirak/access";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model>({
  fetch: {
    user: eq("device_id", caller.user_id),
  },
  search: {},
  count: "as fetch",
  exists: "as fetch",
  create: { user: true },
  update: {},
  upsert: "as create and update",
  delete: {},
  destroy: {},
  restore: {},
  fields: {},
});
