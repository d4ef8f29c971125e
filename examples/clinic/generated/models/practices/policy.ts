// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, definePolicy, eq, exists } from "kirak/access";
import type { model as staff } from "../staff/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model, { staff: typeof staff }>({
  fetch: { "*": true },
  search: { "*": true },
  count: "as fetch",
  exists: "as fetch",
  create: { admin: true },
  update: {
    admin: true,
    signed_in: exists("staff", and(eq("user_id", caller.user_id), eq("duty", "manager"))),
  },
  upsert: {},
  delete: {},
  destroy: {},
  restore: {},
  fields: {},
});
