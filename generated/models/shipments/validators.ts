// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  order_id: { type: "string", format: "uuid" },
  carrier: { enum: ["PostNL", "DHL", "UPS", "bicycle"] },
  tracking_code: { type: ["string", "null"], maxLength: 20, pattern: "^[A-Z0-9]{8,20}$" },
  weight_kg: { type: ["number", "null"], minimum: 0.05, maximum: 30 },
  shipped_at: { type: ["string", "null"], format: "datetime" },
  delivered_at: { type: ["string", "null"], format: "datetime" },
} as const;

export const validators = defineValidators({
  create: { required: ["order_id", "carrier"], properties },
  update: { properties },
  upsert: {
    required: ["order_id", "carrier"],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
