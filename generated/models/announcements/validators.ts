// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  title: { type: "string", minLength: 1, maxLength: 120 },
  body: { type: ["string", "null"], maxLength: 5000 },
  audience: { enum: ["everyone", "guest", "user", "staff", "admin"] },
  starts_at: { type: "string", format: "datetime" },
  ends_at: { type: ["string", "null"], format: "datetime" },
} as const;

export const validators = defineValidators({
  create: { required: ["title", "starts_at"], properties },
  update: { properties },
  upsert: {
    required: ["title", "starts_at"],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
