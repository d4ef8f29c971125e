// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  name: { type: "string", maxLength: 255 },
} as const;

export const validators = defineValidators({
  create: { required: ["name"], properties },
  update: { properties },
  upsert: { required: ["name"], properties: { id: { type: "integer", format: "int64" }, ...properties } },
});
