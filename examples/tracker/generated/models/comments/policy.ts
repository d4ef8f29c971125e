// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { ago, and, caller, definePolicy, eq, exists, field, gt, isIn, or } from "kirak/access";
import type { model as memberships } from "../memberships/model.ts";
import type { model as organisations } from "../organisations/model.ts";
import type { model as projects } from "../projects/model.ts";
import type { model as tasks } from "../tasks/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<
  typeof model,
  {
    memberships: typeof memberships;
    organisations: typeof organisations;
    projects: typeof projects;
    tasks: typeof tasks;
  }
>({
  fetch: {
    signed_in: exists(
      "task.project.organisation.memberships",
      and(
        eq("user_id", caller.user_id),
        or(
          eq("this.task.project.visibility", "organisation"),
          eq("user_id", field("this.task.project.lead_id")),
          isIn("role", ["owner", "admin"]),
        ),
      ),
    ),
  },
  search: {
    signed_in: exists(
      "task.project.organisation.memberships",
      and(
        eq("user_id", caller.user_id),
        or(
          eq("this.task.project.visibility", "organisation"),
          eq("user_id", field("this.task.project.lead_id")),
          isIn("role", ["owner", "admin"]),
        ),
      ),
    ),
  },
  count: "as fetch",
  exists: "as fetch",
  create: {
    signed_in: and(
      eq("task.project.archived", false),
      exists(
        "task.project.organisation.memberships",
        and(
          eq("user_id", caller.user_id),
          or(
            eq("this.task.project.visibility", "organisation"),
            eq("user_id", field("this.task.project.lead_id")),
            isIn("role", ["owner", "admin"]),
          ),
        ),
      ),
    ),
  },
  update: {
    signed_in: and(
      eq("author_id", caller.user_id),
      gt("created_at", ago(15, "minute")),
      eq("task.project.archived", false),
      exists(
        "task.project.organisation.memberships",
        and(
          eq("user_id", caller.user_id),
          or(
            eq("this.task.project.visibility", "organisation"),
            eq("user_id", field("this.task.project.lead_id")),
            isIn("role", ["owner", "admin"]),
          ),
        ),
      ),
    ),
  },
  upsert: "as create and update",
  delete: {
    signed_in: or(
      and(
        eq("author_id", caller.user_id),
        gt("created_at", ago(15, "minute")),
        exists("task.project.organisation.memberships", eq("user_id", caller.user_id)),
      ),
      exists(
        "task.project.organisation.memberships",
        and(eq("user_id", caller.user_id), isIn("role", ["owner", "admin"])),
      ),
    ),
  },
  destroy: {},
  restore: {},
  fields: {
    author_id: { write: [] },
  },
});
