// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, definePolicy, eq, exists, not, or } from "kirak/access";
import { deleteCondition, member, projects } from "../../conditions.ts";
import type { model as tasks } from "../tasks/model.ts";
import type { model as teams } from "../teams/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model, { tasks: typeof tasks; teams: typeof teams }>({
  fetch: {
    signed_in: projects(),
  },
  search: {},
  count: "as fetch",
  exists: "as fetch",
  create: {},
  update: {
    signed_in: and(exists("tasks", member("this.team")), not(deleteCondition("team"))),
    guest: and(projects(), or(eq("visible", true), eq("id", 1))),
  },
  upsert: "as create and update",
  delete: {},
  destroy: {},
  restore: {},
  fields: {},
});
