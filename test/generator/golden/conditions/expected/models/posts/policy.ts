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
} from "kirak/access";
import type { model } from "./model.ts";

const everyoneWhenStatusPublished = { role: "*", when: eq("status", "published") };
const userWhenTeamOwnerIdIsCallerOrOwnerEmailIsCallerEmail = {
  role: "user",
  when: or(eq("team.owner_id", caller.user_id), eq("owner_email", caller.email)),
};
const admin = { role: "admin" };
const userWhenStatusNotPublishedAndViewsFrom0To10 = {
  role: "user",
  when: and(ne("status", "published"), between("views", 0, 10)),
};
const userWhenHiddenAndViewsAndPublishedAt_214b3b = {
  role: "user",
  when: and(not(or(eq("hidden", true), gte("views", 100))), lte("published_at", now)),
};
const editorWhenTitle_a037bc = {
  role: "editor",
  when: and(like("title", "%o'clock%"), ilike("title", "a%")),
};
const userWhenViewsIn1Or2AndStatusNotInDraft = {
  role: "user",
  when: and(isIn("views", [1, 2]), notIn("status", ["draft"])),
};
const adminWhenPublishedAtNull = { role: "admin", when: isNull("published_at") };
const adminWhenPublishedAtNotNullAndViewsAbove1AndViewsBelow5 = {
  role: "admin",
  when: and(isNotNull("published_at"), gt("views", 1), lt("views", 5)),
};

export const policy = definePolicy<typeof model>({
  fetch: [everyoneWhenStatusPublished, userWhenTeamOwnerIdIsCallerOrOwnerEmailIsCallerEmail, admin],
  search: [everyoneWhenStatusPublished],
  count: [admin],
  exists: [everyoneWhenStatusPublished, userWhenTeamOwnerIdIsCallerOrOwnerEmailIsCallerEmail, admin],
  create: [userWhenStatusNotPublishedAndViewsFrom0To10],
  update: [userWhenHiddenAndViewsAndPublishedAt_214b3b, editorWhenTitle_a037bc],
  upsert: { insert: [admin], update: [admin] },
  delete: [userWhenViewsIn1Or2AndStatusNotInDraft],
  destroy: [adminWhenPublishedAtNull],
  restore: [adminWhenPublishedAtNotNullAndViewsAbove1AndViewsBelow5],
  fields: {
    views: { read: ["admin"], write: ["admin"] },
  },
});
