// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { definePolicy } from "kirak/access";
import type { model } from "./model.ts";

const everyone = { role: "*" };
const staff = { role: "staff" };
const admin = { role: "admin" };

export const policy = definePolicy<typeof model>({
  fetch: [everyone],
  search: [everyone],
  count: [everyone],
  exists: [everyone],
  create: [staff, admin],
  update: [staff, admin],
  upsert: { insert: [staff, admin], update: [staff, admin] },
  delete: [admin],
  destroy: [],
  restore: [],
  fields: {
    contact_email: { read: ["staff", "admin"], write: ["staff", "admin"] },
    royalty_percent: { read: ["admin"], write: ["admin"] },
  },
});
