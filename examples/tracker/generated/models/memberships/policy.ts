// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, definePolicy, eq, exists, field, gt, ne, now, or } from "kirak/access";
import { manager, member, owner } from "../../conditions.ts";
import type { model as invitations } from "../invitations/model.ts";
import type { model as organisations } from "../organisations/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<
  typeof model,
  { invitations: typeof invitations; organisations: typeof organisations }
>({
  fetch: {
    signed_in: member("organisation"),
  },
  search: "as fetch",
  count: "as fetch",
  exists: "as fetch",
  create: {
    signed_in: or(
      exists(
        "organisation.memberships",
        and(
          eq("user_id", caller.user_id),
          or(eq("role", "owner"), and(eq("role", "admin"), eq("this.role", "member"))),
        ),
      ),
      and(
        eq("user_id", caller.user_id),
        exists(
          "organisation.invitations",
          and(eq("email", caller.email), eq("role", field("this.role")), gt("expires_at", now)),
        ),
      ),
    ),
  },
  update: {
    signed_in: and(ne("user_id", caller.user_id), owner("organisation")),
  },
  upsert: {},
  delete: {
    signed_in: or(
      and(ne("role", "owner"), or(eq("user_id", caller.user_id), manager("organisation"))),
      and(
        eq("user_id", caller.user_id),
        exists("organisation.memberships", and(eq("role", "owner"), ne("user_id", caller.user_id))),
      ),
    ),
  },
  destroy: {},
  restore: {},
  fields: {},
});
