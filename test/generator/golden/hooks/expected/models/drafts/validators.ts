// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  title: { type: "string", maxLength: 255 },
  slug: { type: "string", maxLength: 255 },
  author: { type: "string", maxLength: 255 },
} as const;

export const validators = defineValidators({
  create: {
    required: ["title", "slug", "author"],
    filled: ["slug"],
    properties: { id: { type: "string", format: "uuid" }, ...properties },
  },
  update: { properties },
  upsert: {
    required: ["title", "slug", "author"],
    filled: ["slug", "title"],
    properties: { id: { type: "string", format: "uuid" }, ...properties },
  },
});
