// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { ago, and, caller, definePolicy, eq, gt, or } from "kirak/access";
import { manager, member, reader } from "../../conditions.ts";
import type { model as organisations } from "../organisations/model.ts";
import type { model as projects } from "../projects/model.ts";
import type { model as tasks } from "../tasks/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<
  typeof model,
  { organisations: typeof organisations; projects: typeof projects; tasks: typeof tasks }
>({
  fetch: {
    signed_in: reader("task.project"),
  },
  search: "as fetch",
  count: "as fetch",
  exists: "as fetch",
  create: {
    signed_in: and(eq("task.project.archived", false), reader("task.project")),
  },
  update: {
    signed_in: and(
      eq("author_id", caller.user_id),
      gt("created_at", ago(15, "minute")),
      eq("task.project.archived", false),
      reader("task.project"),
    ),
  },
  upsert: "as create and update",
  delete: {
    signed_in: or(
      and(
        eq("author_id", caller.user_id),
        gt("created_at", ago(15, "minute")),
        member("task.project.organisation"),
      ),
      manager("task.project.organisation"),
    ),
  },
  destroy: {},
  restore: {},
  fields: {
    author_id: { write: [] },
  },
});
