// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  reference: { type: "string", maxLength: 13, pattern: "^BK-[0-9A-Z]{10}$" },
  client_token: { type: ["string", "null"], format: "uuid" },
  customer_id: { type: "integer", format: "int64" },
  status: { enum: ["pending", "paid", "shipped", "delivered", "cancelled"] },
  placed_at: { type: "string", format: "datetime" },
  total: { type: ["string", "number"], decimal: { precision: 12, scale: 2, minimum: "0.00" } },
  gift_card_id: { type: ["string", "null"], format: "uuid" },
  shipping_name: { type: ["string", "null"], maxLength: 120 },
  shipping_street: { type: ["string", "null"], maxLength: 120 },
  shipping_postcode: { type: ["string", "null"], maxLength: 16 },
  shipping_city: { type: ["string", "null"], maxLength: 80 },
  note: { type: ["string", "null"], maxLength: 1000 },
} as const;

export const validators = defineValidators({
  create: {
    required: ["reference", "customer_id"],
    filled: ["reference", "customer_id"],
    properties: { id: { type: "string", format: "uuid" }, ...properties },
  },
  update: { properties },
  upsert: {
    required: ["reference", "customer_id"],
    filled: [],
    properties: { id: { type: "string", format: "uuid" }, ...properties },
  },
});
