// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, definePolicy, eq } from "kirak/access";
import { manages, works_at } from "../../conditions.ts";
import type { model as practices } from "../practices/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model, { practices: typeof practices }>({
  fetch: {
    admin: true,
    signed_in: works_at("practice"),
  },
  search: {},
  count: "as fetch",
  exists: "as fetch",
  create: {
    admin: true,
    signed_in: and(eq("duty", "reception"), manages("practice")),
  },
  update: {},
  upsert: {},
  delete: {
    admin: true,
    signed_in: and(eq("duty", "reception"), manages("practice")),
  },
  destroy: {},
  restore: {},
  fields: {},
});
