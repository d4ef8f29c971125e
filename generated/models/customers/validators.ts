// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  user_id: { type: "integer", format: "int64" },
  name: { type: "string", minLength: 1, maxLength: 120 },
  email: { type: "string", format: "email" },
  phone: { type: ["string", "null"], maxLength: 16, pattern: "^\\+[1-9][0-9]{6,14}$" },
  birthday: { type: ["string", "null"], format: "date" },
  loyalty_tier: { enum: ["bronze", "silver", "gold"] },
  newsletter: { type: "boolean" },
  pickup_pin: { type: ["string", "null"], format: "password", minLength: 6, maxLength: 12 },
  favourite_genre: { type: ["string", "null"], maxLength: 40 },
  language: { type: "string", maxLength: 2, pattern: "^[a-z]{2}$" },
  staff_notes: { type: ["string", "null"], maxLength: 5000 },
} as const;

export const validators = defineValidators({
  create: { required: ["user_id", "name", "email"], properties },
  update: { properties },
  upsert: {
    required: ["user_id", "name", "email"],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
