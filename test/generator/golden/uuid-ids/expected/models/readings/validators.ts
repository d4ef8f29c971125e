// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  device_id: { type: "string", format: "uuid" },
  value: { type: "number" },
} as const;

export const validators = defineValidators({
  create: {
    required: ["device_id", "value"],
    properties: { id: { type: "string", format: "uuid" }, ...properties },
  },
  update: { properties },
  upsert: {
    required: ["device_id", "value"],
    properties: { id: { type: "string", format: "uuid" }, ...properties },
  },
});
