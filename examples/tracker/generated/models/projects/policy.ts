// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, definePolicy, eq, exists, field, isIn, isNull, ne, not, or } from "kirak/access";
import type { model as memberships } from "../memberships/model.ts";
import type { model as organisations } from "../organisations/model.ts";
import type { model as tasks } from "../tasks/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<
  typeof model,
  { memberships: typeof memberships; organisations: typeof organisations; tasks: typeof tasks }
>({
  fetch: {
    signed_in: exists(
      "organisation.memberships",
      and(
        eq("user_id", caller.user_id),
        or(
          eq("this.visibility", "organisation"),
          eq("user_id", field("this.lead_id")),
          isIn("role", ["owner", "admin"]),
        ),
      ),
    ),
  },
  search: {
    signed_in: exists(
      "organisation.memberships",
      and(
        eq("user_id", caller.user_id),
        or(
          eq("this.visibility", "organisation"),
          eq("user_id", field("this.lead_id")),
          isIn("role", ["owner", "admin"]),
        ),
      ),
    ),
  },
  count: "as fetch",
  exists: "as fetch",
  create: {
    signed_in: and(
      exists(
        "organisation.memberships",
        and(eq("user_id", caller.user_id), isIn("role", ["owner", "admin"])),
      ),
      or(isNull("lead_id"), exists("organisation.memberships", eq("user_id", field("this.lead_id")))),
    ),
  },
  update: {
    signed_in: and(
      exists(
        "organisation.memberships",
        and(eq("user_id", caller.user_id), isIn("role", ["owner", "admin"])),
      ),
      or(isNull("lead_id"), exists("organisation.memberships", eq("user_id", field("this.lead_id")))),
    ),
  },
  upsert: "as create and update",
  delete: {
    signed_in: and(
      exists(
        "organisation.memberships",
        and(eq("user_id", caller.user_id), isIn("role", ["owner", "admin"])),
      ),
      not(exists("tasks", ne("status", "done"))),
    ),
  },
  destroy: {},
  restore: {
    signed_in: exists(
      "organisation.memberships",
      and(eq("user_id", caller.user_id), isIn("role", ["owner", "admin"])),
    ),
  },
  fields: {},
});
