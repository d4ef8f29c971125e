// Made by `npm run generate` from the built-in accounts. An entry "users" in models/models.json extends them.
import { defineValidators } from "kirak/model";

const properties = {
  email: { type: ["string", "null"], format: "email" },
  password: { type: ["string", "null"], format: "password" },
  role: { type: "string", maxLength: 255 },
  first_name: { type: ["string", "null"], maxLength: 255 },
  last_name: { type: ["string", "null"], maxLength: 255 },
  phone_number: { type: ["string", "null"], maxLength: 255 },
  is_verified: { type: "boolean" },
  is_active: { type: "boolean" },
  last_login_at: { type: ["string", "null"], format: "datetime" },
  credentials_changed_at: { type: ["string", "null"], format: "datetime" },
} as const;

export const validators = defineValidators({
  create: { required: [], properties },
  update: { properties },
  upsert: { required: [], properties: { id: { type: "integer", format: "int64" }, ...properties } },
});
