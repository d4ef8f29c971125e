// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  organisation_id: { type: "integer", format: "int64" },
  email: { type: "string", format: "email" },
  role: { enum: ["admin", "member"] },
  expires_at: { type: "string", format: "datetime" },
} as const;

export const validators = defineValidators({
  create: { required: ["organisation_id", "email", "expires_at"], filled: ["expires_at"], properties },
  update: { properties },
  upsert: {
    required: ["organisation_id", "email", "expires_at"],
    filled: [],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
