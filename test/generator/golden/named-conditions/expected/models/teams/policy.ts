// Made by `npm run generate` from models/more.models.json. Edit that file, not this one.
import { definePolicy, or } from "kirak/access";
import { deleteCondition, member } from "../../conditions.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model>({
  fetch: {
    signed_in: or(member(), member()),
  },
  search: {},
  count: "as fetch",
  exists: "as fetch",
  create: {},
  update: {},
  upsert: "as create and update",
  delete: {
    signed_in: deleteCondition(),
  },
  destroy: {},
  restore: {},
  fields: {},
});
