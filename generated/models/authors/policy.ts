// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { definePolicy } from "kirak/access";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model>({
  fetch: { "*": true },
  search: { "*": true },
  count: "as fetch",
  exists: "as fetch",
  create: { staff: true, admin: true },
  update: { staff: true, admin: true },
  upsert: "as create and update",
  delete: { admin: true },
  destroy: {},
  restore: {},
  fields: {
    contact_email: { read: ["staff", "admin"], write: ["staff", "admin"] },
    royalty_percent: { read: ["admin"], write: ["admin"] },
  },
});
