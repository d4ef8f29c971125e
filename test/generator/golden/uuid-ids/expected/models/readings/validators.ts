// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "../../../runtime/model/index.ts";

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
