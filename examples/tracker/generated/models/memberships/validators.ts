// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  organisation_id: { type: "integer", format: "int64" },
  user_id: { type: "integer", format: "int64" },
  role: { enum: ["owner", "admin", "member"] },
} as const;

export const validators = defineValidators({
  create: { required: ["organisation_id", "user_id"], properties },
  update: { properties },
  upsert: {
    required: ["organisation_id", "user_id"],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
