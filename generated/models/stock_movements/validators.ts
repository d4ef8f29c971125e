// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  book_id: { type: "integer", format: "int64" },
  order_item_id: { type: ["integer", "null"], format: "int64" },
  change: { type: "integer", format: "int32" },
  reason: { enum: ["sale", "return", "delivery", "correction"] },
  delivery_id: { type: ["string", "null"], format: "uuid" },
} as const;

export const validators = defineValidators({
  create: { required: ["book_id", "change", "reason"], properties },
  update: { properties },
  upsert: {
    required: ["book_id", "change", "reason"],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
