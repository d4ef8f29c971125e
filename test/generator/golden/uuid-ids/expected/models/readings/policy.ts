// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { caller, definePolicy, eq } from "kirak/access";
import type { model } from "./model.ts";

const userWhenDeviceIdIsCaller = { role: "user", when: eq("device_id", caller.user_id) };
const user = { role: "user" };

export const policy = definePolicy<typeof model>({
  fetch: [userWhenDeviceIdIsCaller],
  search: [],
  count: [userWhenDeviceIdIsCaller],
  exists: [userWhenDeviceIdIsCaller],
  create: [user],
  update: [],
  upsert: { insert: [user], update: [] },
  delete: [],
  destroy: [],
  restore: [],
  fields: {},
});
