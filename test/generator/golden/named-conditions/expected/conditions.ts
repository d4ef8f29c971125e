// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, defineCondition, eq, exists, or } from "kirak/access";
import type { builtInUsers as users } from "kirak/users";
import type { model as memberships } from "./models/memberships/model.ts";
import type { model as projectsModel } from "./models/projects/model.ts";
import type { model as tasksModel } from "./models/tasks/model.ts";
import type { model as teams } from "./models/teams/model.ts";

export const deleteCondition = defineCondition<typeof teams, { memberships: typeof memberships }>(
  exists("memberships", and(eq("user_id", caller.user_id), eq("role", "owner"))),
);
export const eqCondition = defineCondition<typeof users>(eq("is_active", true));
export const modelCondition = defineCondition<typeof memberships, { users: typeof users }>(
  and(eq("user_id", caller.user_id), eqCondition("user")),
);
export const member = defineCondition<typeof teams, { memberships: typeof memberships }>(
  exists("memberships", modelCondition()),
);
export const projects = defineCondition<typeof projectsModel, { teams: typeof teams }>(
  or(eq("visible", true), member("team")),
);
/** Open, of the caller's team. */
export const tasks = defineCondition<
  typeof tasksModel,
  { projects: typeof projectsModel; teams: typeof teams }
>(and(eq("done", false), eq("parent.done", false), member("project.team")));
