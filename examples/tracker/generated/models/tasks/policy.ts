// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { ago, and, caller, definePolicy, eq, exists, field, gt, isNull, ne, not, or } from "kirak/access";
import { manager, member, reader } from "../../conditions.ts";
import type { model as comments } from "../comments/model.ts";
import type { model as memberships } from "../memberships/model.ts";
import type { model as organisations } from "../organisations/model.ts";
import type { model as projects } from "../projects/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<
  typeof model,
  {
    comments: typeof comments;
    memberships: typeof memberships;
    organisations: typeof organisations;
    projects: typeof projects;
  }
>({
  fetch: {
    signed_in: reader("project"),
  },
  search: "as fetch",
  count: "as fetch",
  exists: "as fetch",
  create: {
    signed_in: and(
      eq("project.archived", false),
      reader("project"),
      or(
        isNull("assignee_id"),
        exists("project.organisation.memberships", eq("user_id", field("this.assignee_id"))),
      ),
    ),
  },
  update: {
    signed_in: or(
      and(
        eq("project.archived", false),
        manager("project.organisation"),
        or(
          isNull("assignee_id"),
          exists("project.organisation.memberships", eq("user_id", field("this.assignee_id"))),
        ),
      ),
      and(
        eq("assignee_id", caller.user_id),
        ne("status", "done"),
        eq("project.archived", false),
        reader("project"),
      ),
      and(
        eq("reporter_id", caller.user_id),
        gt("created_at", ago(15, "minute")),
        eq("status", "todo"),
        eq("project.archived", false),
        reader("project"),
        or(
          isNull("assignee_id"),
          exists("project.organisation.memberships", eq("user_id", field("this.assignee_id"))),
        ),
      ),
    ),
  },
  upsert: "as create and update",
  delete: {
    signed_in: or(
      manager("project.organisation"),
      and(eq("reporter_id", caller.user_id), not(exists("comments")), member("project.organisation")),
    ),
  },
  destroy: {},
  restore: {
    signed_in: manager("project.organisation"),
  },
  fields: {
    reporter_id: { write: [] },
  },
});
