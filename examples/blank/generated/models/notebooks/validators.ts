// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  title: { type: "string", minLength: 1, maxLength: 120 },
  public: { type: "boolean" },
  owner_id: { type: "integer", format: "int64" },
} as const;

export const validators = defineValidators({
  create: { required: ["title"], properties },
  update: { properties },
  upsert: { required: ["title"], properties: { id: { type: "integer", format: "int64" }, ...properties } },
});
