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
import type { model as teams } from "../teams/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model, { teams: typeof teams }>({
  fetch: {
    "*": eq("status", "published"),
    user: or(eq("team.owner_id", caller.user_id), eq("owner_email", caller.email)),
    admin: true,
  },
  search: {
    "*": eq("status", "published"),
  },
  count: { admin: true },
  exists: "as fetch",
  create: {
    user: and(ne("status", "published"), between("views", 0, 10)),
  },
  update: {
    user: and(not(or(eq("hidden", true), gte("views", 100))), lte("published_at", now)),
    editor: and(like("title", "%o'clock%"), ilike("title", "a%")),
  },
  upsert: { admin: true },
  delete: {
    user: and(isIn("views", [1, 2]), notIn("status", ["draft"])),
  },
  destroy: {
    admin: isNull("published_at"),
  },
  restore: {
    admin: and(isNotNull("published_at"), gt("views", 1), lt("views", 5)),
  },
  fields: {
    views: { read: ["admin"], write: ["admin"] },
  },
});
