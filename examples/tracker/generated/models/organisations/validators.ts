// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  name: { type: "string", minLength: 1, maxLength: 80 },
  plan: { enum: ["free", "team"] },
} as const;

export const validators = defineValidators({
  create: { required: ["name"], properties },
  update: { properties },
  upsert: { required: ["name"], properties: { id: { type: "integer", format: "int64" }, ...properties } },
});
