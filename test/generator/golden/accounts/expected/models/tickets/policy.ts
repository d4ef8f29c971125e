// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, definePolicy, eq } from "kirak/access";
import type { model as users } from "../users/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model, { users: typeof users }>({
  fetch: {
    user: eq("author_id", caller.user_id),
    staff: and(eq("author.is_active", true), eq("author.plan", "team")),
  },
  search: {},
  count: "as fetch",
  exists: "as fetch",
  create: {
    user: eq("author_id", caller.user_id),
  },
  update: {},
  upsert: "as create and update",
  delete: {},
  destroy: {},
  restore: {},
  fields: {},
});
