// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, definePolicy, eq, or } from "kirak/access";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model>({
  fetch: { default: true, caller: true, now: true, policy: true, toString: true, everyone: true, "*": true },
  search: {},
  count: "as fetch",
  exists: "as fetch",
  create: { "a b": true, "a-b": true, "1st": true, ключ: true, '"; drop //*/': true },
  update: {
    default: or(
      and(eq("constructor", "class"), eq("default", "*/ x")),
      and(eq("constructor", "other"), eq("default", "x")),
    ),
  },
  upsert: "as create and update",
  delete: {},
  destroy: {},
  restore: {},
  fields: {
    constructor: { read: ["default"] },
    default: { write: ["a b"] },
  },
});
