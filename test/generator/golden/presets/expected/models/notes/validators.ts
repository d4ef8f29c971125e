// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  text: { type: "string" },
  owner_id: { type: "integer", format: "int64" },
  team_id: { type: ["integer", "null"], format: "int64" },
  written_by: { type: ["string", "null"], format: "email" },
  written_as: { enum: ["user", "staff", null] },
} as const;

export const validators = defineValidators({
  create: { required: ["text"], properties },
  update: { properties },
  upsert: { required: ["text"], properties: { id: { type: "integer", format: "int64" }, ...properties } },
});
