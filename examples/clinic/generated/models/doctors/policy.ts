// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, definePolicy, exists, isNull, not } from "kirak/access";
import { manages } from "../../conditions.ts";
import type { model as patients } from "../patients/model.ts";
import type { model as practices } from "../practices/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model, { patients: typeof patients; practices: typeof practices }>({
  fetch: { "*": true },
  search: { "*": true },
  count: "as fetch",
  exists: "as fetch",
  create: {
    signed_in: manages("practice"),
  },
  update: {
    signed_in: manages("practice"),
  },
  upsert: {},
  delete: {
    signed_in: and(manages("practice"), not(exists("patients", isNull("closed_at")))),
  },
  destroy: {},
  restore: {},
  fields: {
    user_id: { read: ["signed_in"] },
  },
});
