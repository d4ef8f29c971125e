// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { caller, callerColumn, definePolicy, eq, or } from "kirak/access";
import type { model as users } from "../users/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model, { users: typeof users }>({
  fetch: {
    signed_in: or(eq("owner_id", caller.user_id), eq("team_id", callerColumn("team_id"))),
  },
  search: {},
  count: "as fetch",
  exists: "as fetch",
  create: { signed_in: true },
  update: {
    signed_in: eq("owner_id", caller.user_id),
  },
  upsert: "as create and update",
  delete: {},
  destroy: {},
  restore: {},
  fields: {
    written_by: { read: ["staff"], write: ["staff"] },
    written_as: { read: ["staff"], write: [] },
    owner_id: { write: [] },
    team_id: { write: [] },
  },
});
