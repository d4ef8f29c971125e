// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  code: { type: ["string", "null"], maxLength: 255 },
} as const;

export const validators = defineValidators({
  create: { required: [], properties },
  update: { properties },
  upsert: { required: [], properties: { id: { type: "integer", format: "int64" }, ...properties } },
});
