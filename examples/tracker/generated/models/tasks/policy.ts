// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import {
  ago,
  and,
  caller,
  definePolicy,
  eq,
  exists,
  field,
  gt,
  isIn,
  isNull,
  ne,
  not,
  or,
} from "kirak/access";
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
    signed_in: exists(
      "project.organisation.memberships",
      and(
        eq("user_id", caller.user_id),
        or(
          eq("this.project.visibility", "organisation"),
          eq("user_id", field("this.project.lead_id")),
          isIn("role", ["owner", "admin"]),
        ),
      ),
    ),
  },
  search: {
    signed_in: exists(
      "project.organisation.memberships",
      and(
        eq("user_id", caller.user_id),
        or(
          eq("this.project.visibility", "organisation"),
          eq("user_id", field("this.project.lead_id")),
          isIn("role", ["owner", "admin"]),
        ),
      ),
    ),
  },
  count: "as fetch",
  exists: "as fetch",
  create: {
    signed_in: and(
      eq("project.archived", false),
      exists(
        "project.organisation.memberships",
        and(
          eq("user_id", caller.user_id),
          or(
            eq("this.project.visibility", "organisation"),
            eq("user_id", field("this.project.lead_id")),
            isIn("role", ["owner", "admin"]),
          ),
        ),
      ),
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
        exists(
          "project.organisation.memberships",
          and(eq("user_id", caller.user_id), isIn("role", ["owner", "admin"])),
        ),
        or(
          isNull("assignee_id"),
          exists("project.organisation.memberships", eq("user_id", field("this.assignee_id"))),
        ),
      ),
      and(
        eq("assignee_id", caller.user_id),
        ne("status", "done"),
        eq("project.archived", false),
        exists(
          "project.organisation.memberships",
          and(
            eq("user_id", caller.user_id),
            or(
              eq("this.project.visibility", "organisation"),
              eq("user_id", field("this.project.lead_id")),
              isIn("role", ["owner", "admin"]),
            ),
          ),
        ),
      ),
      and(
        eq("reporter_id", caller.user_id),
        gt("created_at", ago(15, "minute")),
        eq("status", "todo"),
        eq("project.archived", false),
        exists(
          "project.organisation.memberships",
          and(
            eq("user_id", caller.user_id),
            or(
              eq("this.project.visibility", "organisation"),
              eq("user_id", field("this.project.lead_id")),
              isIn("role", ["owner", "admin"]),
            ),
          ),
        ),
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
      exists(
        "project.organisation.memberships",
        and(eq("user_id", caller.user_id), isIn("role", ["owner", "admin"])),
      ),
      and(
        eq("reporter_id", caller.user_id),
        not(exists("comments")),
        exists("project.organisation.memberships", eq("user_id", caller.user_id)),
      ),
    ),
  },
  destroy: {},
  restore: {
    signed_in: exists(
      "project.organisation.memberships",
      and(eq("user_id", caller.user_id), isIn("role", ["owner", "admin"])),
    ),
  },
  fields: {
    reporter_id: { write: [] },
  },
});
