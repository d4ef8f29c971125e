// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import {
  ago,
  and,
  caller,
  callerColumn,
  definePolicy,
  eq,
  exists,
  field,
  fromNow,
  gt,
  isIn,
  like,
  lt,
  not,
  or,
} from "kirak/access";
import type { model as memberships } from "../memberships/model.ts";
import type { model as organisations } from "../organisations/model.ts";
import type { model as teams } from "../teams/model.ts";
import type { model as users } from "../users/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<
  typeof model,
  {
    memberships: typeof memberships;
    organisations: typeof organisations;
    teams: typeof teams;
    users: typeof users;
  }
>({
  fetch: {
    user: eq("organisation.owner_id", caller.user_id),
    editor: exists(
      "organisation.memberships",
      and(eq("user_id", caller.user_id), isIn("role", ["owner", "admin"]), eq("this.a_id", field("user_id"))),
    ),
    admin: eq("a_id", field("b_id")),
    staff: eq("a_id", field("b_id")),
    signed_in: and(gt("created_at", ago(15, "minute")), lt("due_on", fromNow(2, "day"))),
    system: eq("team_id", callerColumn("team_id")),
    agent: like("organisation.owner.email", callerColumn("office")),
    superadmin: or(
      and(
        eq(callerColumn("is_active"), true),
        not(
          exists(
            "organisation.memberships",
            and(eq("user_id", caller.user_id), exists("user.team", eq("name", field("this.team.name")))),
          ),
        ),
      ),
      eq("a_id", field("b_id")),
    ),
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
