// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, definePolicy, eq, exists, field, isNull, ne, not, or } from "kirak/access";
import { manager, reader } from "../../conditions.ts";
import type { model as memberships } from "../memberships/model.ts";
import type { model as organisations } from "../organisations/model.ts";
import type { model as tasks } from "../tasks/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<
  typeof model,
  { memberships: typeof memberships; organisations: typeof organisations; tasks: typeof tasks }
>({
  fetch: {
    signed_in: reader(),
  },
  search: "as fetch",
  count: "as fetch",
  exists: "as fetch",
  create: {
    signed_in: and(
      manager("organisation"),
      or(isNull("lead_id"), exists("organisation.memberships", eq("user_id", field("this.lead_id")))),
    ),
  },
  update: {
    signed_in: and(
      manager("organisation"),
      or(isNull("lead_id"), exists("organisation.memberships", eq("user_id", field("this.lead_id")))),
    ),
  },
  upsert: "as create and update",
  delete: {
    signed_in: and(manager("organisation"), not(exists("tasks", ne("status", "done")))),
  },
  destroy: {},
  restore: {
    signed_in: manager("organisation"),
  },
  fields: {},
});
