// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  name: { type: "string", minLength: 1, maxLength: 120 },
  city: { type: "string", maxLength: 80 },
} as const;

export const validators = defineValidators({
  create: { required: ["name", "city"], properties },
  update: { properties },
  upsert: {
    required: ["name", "city"],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
