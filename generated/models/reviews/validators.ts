// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  book_id: { type: "integer", format: "int64" },
  customer_id: { type: "integer", format: "int64" },
  rating: { type: "integer", format: "int32", minimum: 1, maximum: 5 },
  title: { type: "string", minLength: 3, maxLength: 120 },
  body: { type: ["string", "null"], maxLength: 5000 },
  status: { enum: ["pending", "approved", "rejected"] },
  moderated_at: { type: ["string", "null"], format: "datetime" },
} as const;

export const validators = defineValidators({
  create: { required: ["book_id", "customer_id", "rating", "title"], filled: ["customer_id"], properties },
  update: { properties },
  upsert: {
    required: ["book_id", "customer_id", "rating", "title"],
    filled: ["customer_id"],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
