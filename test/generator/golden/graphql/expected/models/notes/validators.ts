// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  text: { type: "string" },
  author_id: { type: "integer", format: "int64" },
} as const;

export const validators = defineValidators({
  create: {
    required: ["text", "author_id"],
    properties: { id: { type: "string", format: "uuid" }, ...properties },
  },
  update: { properties },
  upsert: {
    required: ["text", "author_id"],
    properties: { id: { type: "string", format: "uuid" }, ...properties },
  },
});
