// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  notebook_id: { type: "integer", format: "int64" },
  title: { type: "string", minLength: 1, maxLength: 120 },
  body: { type: ["string", "null"], maxLength: 10000 },
} as const;

export const validators = defineValidators({
  create: { required: ["notebook_id", "title"], properties },
  update: { properties },
  upsert: {
    required: ["notebook_id", "title"],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
