// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, definePolicy, eq } from "kirak/access";
import type { model } from "./model.ts";

const userWhenAuthorIdIsCaller = { role: "user", when: eq("author_id", caller.user_id) };
const staffWhenAuthorIsActiveAndAuthorPlanTeam = {
  role: "staff",
  when: and(eq("author.is_active", true), eq("author.plan", "team")),
};

export const policy = definePolicy<typeof model>({
  fetch: [userWhenAuthorIdIsCaller, staffWhenAuthorIsActiveAndAuthorPlanTeam],
  search: [],
  count: [userWhenAuthorIdIsCaller, staffWhenAuthorIsActiveAndAuthorPlanTeam],
  exists: [userWhenAuthorIdIsCaller, staffWhenAuthorIsActiveAndAuthorPlanTeam],
  create: [userWhenAuthorIdIsCaller],
  update: [],
  upsert: { insert: [userWhenAuthorIdIsCaller], update: [] },
  delete: [],
  destroy: [],
  restore: [],
  fields: {},
});
