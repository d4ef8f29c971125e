// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  order_id: { type: "string", format: "uuid" },
  book_id: { type: "integer", format: "int64" },
  quantity: { type: "integer", format: "int32", minimum: 1, maximum: 99 },
  unit_price_cents: { type: "integer", format: "int32", minimum: 0 },
} as const;

export const validators = defineValidators({
  create: { required: ["order_id", "book_id", "unit_price_cents"], properties },
  update: { properties },
  upsert: {
    required: ["order_id", "book_id", "unit_price_cents"],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
