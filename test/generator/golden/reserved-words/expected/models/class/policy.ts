// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, definePolicy, eq } from "kirak/access";
import type { model } from "./model.ts";

const defaultRole = { role: "default" };
const callerRole = { role: "caller" };
const nowRole = { role: "now" };
const policyRole = { role: "policy" };
const toStringRole = { role: "toString" };
const everyone_2fde5a = { role: "everyone" };
const everyone_ccef99 = { role: "*" };
const aB_1d29de = { role: "a b" };
const aB_3721ce = { role: "a-b" };
const role1st = { role: "1st" };
const role1de36a = { role: "ключ" };
const drop = { role: '"; drop //*/' };
const defaultWhenConstructorAndDefault_264613 = {
  role: "default",
  when: and(eq("constructor", "class"), eq("default", "*/ x")),
};
const defaultWhenConstructorOtherAndDefaultX = {
  role: "default",
  when: and(eq("constructor", "other"), eq("default", "x")),
};

export const policy = definePolicy<typeof model>({
  fetch: [defaultRole, callerRole, nowRole, policyRole, toStringRole, everyone_2fde5a, everyone_ccef99],
  search: [],
  count: [defaultRole, callerRole, nowRole, policyRole, toStringRole, everyone_2fde5a, everyone_ccef99],
  exists: [defaultRole, callerRole, nowRole, policyRole, toStringRole, everyone_2fde5a, everyone_ccef99],
  create: [aB_1d29de, aB_3721ce, role1st, role1de36a, drop],
  update: [defaultWhenConstructorAndDefault_264613, defaultWhenConstructorOtherAndDefaultX],
  upsert: {
    insert: [aB_1d29de, aB_3721ce, role1st, role1de36a, drop],
    update: [defaultWhenConstructorAndDefault_264613, defaultWhenConstructorOtherAndDefaultX],
  },
  delete: [],
  destroy: [],
  restore: [],
  fields: {
    constructor: { read: ["default"] },
    default: { write: ["a b"] },
  },
});
