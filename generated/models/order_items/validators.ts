// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  order_id: { type: "string", format: "uuid" },
  book_id: { type: "integer", format: "int64" },
  quantity: { type: "integer", format: "int32", minimum: 1, maximum: 99 },
  unit_price: { type: ["string", "number"], decimal: { precision: 8, scale: 2, minimum: "0.00" } },
} as const;

export const validators = defineValidators({
  create: { required: ["order_id", "book_id", "unit_price"], filled: ["unit_price"], properties },
  update: { properties },
  upsert: {
    required: ["order_id", "book_id", "unit_price"],
    filled: [],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
