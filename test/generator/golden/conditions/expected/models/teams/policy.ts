// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { caller, definePolicy, eq } from "kirak/access";
import type { model } from "./model.ts";

const userWhenOwnerIdIsCaller = { role: "user", when: eq("owner_id", caller.user_id) };

export const policy = definePolicy<typeof model>({
  fetch: [userWhenOwnerIdIsCaller],
  search: [],
  count: [userWhenOwnerIdIsCaller],
  exists: [userWhenOwnerIdIsCaller],
  create: [],
  update: [],
  upsert: { insert: [], update: [] },
  delete: [],
  destroy: [],
  restore: [],
  fields: {},
});
