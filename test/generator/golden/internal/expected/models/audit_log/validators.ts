// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  event: { type: "string", maxLength: 255 },
  address: { type: ["string", "null"], maxLength: 255 },
} as const;

export const validators = defineValidators({
  create: { required: ["event"], properties },
  update: { properties },
  upsert: { required: ["event"], properties: { id: { type: "integer", format: "int64" }, ...properties } },
});
