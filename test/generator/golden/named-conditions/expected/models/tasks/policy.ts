// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, definePolicy, eq, or } from "kirak/access";
import type { builtInUsers as users } from "kirak/users";
import { eqCondition, projects, tasks } from "../../conditions.ts";
import type { model as projectsModel } from "../projects/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model, { projects: typeof projectsModel; users: typeof users }>({
  fetch: {
    signed_in: and(projects("project"), eq("project.visible", true)),
  },
  search: {},
  count: "as fetch",
  exists: "as fetch",
  create: {},
  update: {
    signed_in: and(eqCondition("owner"), or(tasks(), tasks("parent"))),
  },
  upsert: "as create and update",
  delete: {},
  destroy: {},
  restore: {},
  fields: {},
});
