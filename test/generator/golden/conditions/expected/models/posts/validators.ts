// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  title: { type: "string", maxLength: 255 },
  status: { enum: ["draft", "published"] },
  views: { type: ["integer", "null"], format: "int32" },
  published_at: { type: ["string", "null"], format: "datetime" },
  hidden: { type: "boolean" },
  owner_email: { type: ["string", "null"], format: "email" },
  team_id: { type: ["integer", "null"], format: "int64" },
} as const;

export const validators = defineValidators({
  create: { required: ["title"], properties },
  update: { properties },
  upsert: { required: ["title"], properties: { id: { type: "integer", format: "int64" }, ...properties } },
});
