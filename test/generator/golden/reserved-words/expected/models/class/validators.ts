// Made by `npm run generate` from models/models.json. Edit that file, not this one.
// biome-ignore-all lint/suspicious/noThenProperty: a field has this name
import { defineValidators } from "kirak/model";

const properties = {
  constructor: { type: "string", maxLength: 255 },
  default: { type: ["string", "null"], maxLength: 255 },
  string: { type: ["string", "null"], maxLength: 255 },
  properties: { type: ["integer", "null"], format: "int32" },
  delete: { type: ["boolean", "null"] },
  then: {},
  type: { enum: ["type", "interface", null] },
} as const;

export const validators = defineValidators({
  create: { required: ["constructor"], properties },
  update: { properties },
  upsert: {
    required: ["constructor"],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
