// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, definePolicy, eq, exists, fromNow, lt, or } from "kirak/access";
import { manager } from "../../conditions.ts";
import type { model as memberships } from "../memberships/model.ts";
import type { model as organisations } from "../organisations/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<
  typeof model,
  { memberships: typeof memberships; organisations: typeof organisations }
>({
  fetch: {
    signed_in: or(eq("email", caller.email), manager("organisation")),
  },
  search: {},
  count: "as fetch",
  exists: "as fetch",
  create: {
    signed_in: and(
      lt("expires_at", fromNow(30, "day")),
      exists(
        "organisation.memberships",
        and(
          eq("user_id", caller.user_id),
          or(eq("role", "owner"), and(eq("role", "admin"), eq("this.role", "member"))),
        ),
      ),
    ),
  },
  update: {},
  upsert: "as create and update",
  delete: {
    signed_in: or(eq("email", caller.email), manager("organisation")),
  },
  destroy: {},
  restore: {},
  fields: {},
});
