// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { caller, definePolicy, eq, exists } from "kirak/access";
import type { model as memberships } from "../memberships/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model, { memberships: typeof memberships }>({
  fetch: {
    user: exists("memberships", eq("user_id", caller.user_id)),
    admin: exists("memberships", eq("user_id", caller.user_id)),
  },
  search: {},
  count: "as fetch",
  exists: "as fetch",
  create: {},
  update: {},
  upsert: "as create and update",
  delete: {},
  destroy: {},
  restore: {},
  fields: {},
});
