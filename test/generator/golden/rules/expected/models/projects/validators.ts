// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  organisation_id: { type: ["integer", "null"], format: "int64" },
  a_id: { type: ["integer", "null"], format: "int64" },
  b_id: { type: ["integer", "null"], format: "int64" },
  due_on: { type: ["string", "null"], format: "date" },
  team_id: { type: ["integer", "null"], format: "int64" },
} as const;

export const validators = defineValidators({
  create: { required: [], properties },
  update: { properties },
  upsert: { required: [], properties: { id: { type: "integer", format: "int64" }, ...properties } },
});
