// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, definePolicy, eq } from "../../../runtime/access/index.ts";
import type { model } from "./model.ts";

const defaultRole = { role: "default" };
const callerRole = { role: "caller" };
const nowRole = { role: "now" };
const policyRole = { role: "policy" };
const toStringRole = { role: "toString" };
const everyone = { role: "everyone" };
const everyone2 = { role: "*" };
const aB = { role: "a b" };
const aB2 = { role: "a-b" };
const role1st = { role: "1st" };
const role = { role: "ключ" };
const drop = { role: '"; drop //*/' };
const defaultWhenConstructorAndDefault = {
  role: "default",
  when: and(eq("constructor", "class"), eq("default", "*/ x")),
};
const defaultWhenConstructorAndDefault2 = {
  role: "default",
  when: and(eq("constructor", "other"), eq("default", "x")),
};

export const policy = definePolicy<typeof model>({
  fetch: [defaultRole, callerRole, nowRole, policyRole, toStringRole, everyone, everyone2],
  search: [],
  count: [defaultRole, callerRole, nowRole, policyRole, toStringRole, everyone, everyone2],
  exists: [defaultRole, callerRole, nowRole, policyRole, toStringRole, everyone, everyone2],
  create: [aB, aB2, role1st, role, drop],
  update: [defaultWhenConstructorAndDefault, defaultWhenConstructorAndDefault2],
  upsert: {
    insert: [aB, aB2, role1st, role, drop],
    update: [defaultWhenConstructorAndDefault, defaultWhenConstructorAndDefault2],
  },
  delete: [],
  destroy: [],
  restore: [],
  fields: {
    constructor: { read: ["default"] },
    default: { write: ["a b"] },
  },
});
