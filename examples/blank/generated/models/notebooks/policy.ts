// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { caller, definePolicy, eq } from "kirak/access";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model>({
  fetch: {
    "*": eq("public", true),
    signed_in: eq("owner_id", caller.user_id),
  },
  search: {},
  count: "as fetch",
  exists: "as fetch",
  create: { signed_in: true },
  update: {
    signed_in: eq("owner_id", caller.user_id),
  },
  upsert: "as create and update",
  delete: {
    signed_in: eq("owner_id", caller.user_id),
  },
  destroy: {},
  restore: {
    signed_in: eq("owner_id", caller.user_id),
  },
  fields: {
    owner_id: { write: [] },
  },
});
