// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  organisation_id: { type: "integer", format: "int64" },
  name: { type: "string", minLength: 1, maxLength: 80 },
  lead_id: { type: ["integer", "null"], format: "int64" },
  visibility: { enum: ["organisation", "private"] },
  archived: { type: "boolean" },
} as const;

export const validators = defineValidators({
  create: { required: ["organisation_id", "name"], properties },
  update: { properties },
  upsert: {
    required: ["organisation_id", "name"],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
