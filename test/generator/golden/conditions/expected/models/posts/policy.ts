// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import {
  and,
  between,
  caller,
  definePolicy,
  eq,
  gt,
  gte,
  ilike,
  isIn,
  isNotNull,
  isNull,
  like,
  lt,
  lte,
  ne,
  not,
  notIn,
  now,
  or,
} from "../../../runtime/access/index.ts";
import type { model } from "./model.ts";

const everyoneWhenStatus = { role: "*", when: eq("status", "published") };
const userWhenTeamOwnerIdAndOwnerEmail = {
  role: "user",
  when: or(eq("team.owner_id", caller.user_id), eq("owner_email", caller.email)),
};
const admin = { role: "admin" };
const userWhenStatusAndViews = {
  role: "user",
  when: and(ne("status", "published"), between("views", 0, 10)),
};
const userWhenHiddenAndViewsAndPublishedAt = {
  role: "user",
  when: and(not(or(eq("hidden", true), gte("views", 100))), lte("published_at", now)),
};
const editorWhenTitle = { role: "editor", when: and(like("title", "%o'clock%"), ilike("title", "a%")) };
const userWhenViewsAndStatus = { role: "user", when: and(isIn("views", [1, 2]), notIn("status", ["draft"])) };
const adminWhenPublishedAt = { role: "admin", when: isNull("published_at") };
const adminWhenPublishedAtAndViews = {
  role: "admin",
  when: and(isNotNull("published_at"), gt("views", 1), lt("views", 5)),
};

export const policy = definePolicy<typeof model>({
  fetch: [everyoneWhenStatus, userWhenTeamOwnerIdAndOwnerEmail, admin],
  search: [everyoneWhenStatus],
  count: [admin],
  exists: [everyoneWhenStatus, userWhenTeamOwnerIdAndOwnerEmail, admin],
  create: [userWhenStatusAndViews],
  update: [userWhenHiddenAndViewsAndPublishedAt, editorWhenTitle],
  upsert: { insert: [admin], update: [admin] },
  delete: [userWhenViewsAndStatus],
  destroy: [adminWhenPublishedAt],
  restore: [adminWhenPublishedAtAndViews],
  fields: {
    views: { read: ["admin"], write: ["admin"] },
  },
});
