// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, defineCondition, eq, exists, field, isIn, or } from "kirak/access";
import type { model as memberships } from "./models/memberships/model.ts";
import type { model as organisations } from "./models/organisations/model.ts";
import type { model as projects } from "./models/projects/model.ts";

/** Owner or admin of the organisation. */
export const manager = defineCondition<typeof organisations, { memberships: typeof memberships }>(
  exists("memberships", and(eq("user_id", caller.user_id), isIn("role", ["owner", "admin"]))),
);
/** Belongs to the organisation. */
export const member = defineCondition<typeof organisations, { memberships: typeof memberships }>(
  exists("memberships", eq("user_id", caller.user_id)),
);
/** Owner of the organisation. */
export const owner = defineCondition<typeof organisations, { memberships: typeof memberships }>(
  exists("memberships", and(eq("user_id", caller.user_id), eq("role", "owner"))),
);
/** Can read the project: its organisation's members, or only lead and managers if it is private. */
export const reader = defineCondition<
  typeof projects,
  { memberships: typeof memberships; organisations: typeof organisations }
>(
  exists(
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
);
