// Made by `npm run generate` from the built-in accounts. An entry "users" in models/models.json extends them.
import { definePolicy } from "kirak/access";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model>({
  fetch: {},
  search: {},
  count: "as fetch",
  exists: "as fetch",
  create: {},
  update: {},
  upsert: "as create and update",
  delete: {},
  destroy: {},
  restore: {},
  fields: {
    id: { read: [] },
    created_at: { read: [] },
    updated_at: { read: [] },
    email: { read: [] },
    password: { read: [] },
    role: { read: [] },
    first_name: { read: [] },
    last_name: { read: [] },
    phone_number: { read: [] },
    is_verified: { read: [] },
    is_active: { read: [] },
    last_login_at: { read: [] },
    credentials_changed_at: { read: [] },
  },
});
