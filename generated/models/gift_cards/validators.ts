// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  code: { type: "string", maxLength: 14, pattern: "^GIFT-[A-Z0-9]{4}-[A-Z0-9]{4}$" },
  amount: {
    type: ["string", "number"],
    decimal: { precision: 5, scale: 2, enum: ["10.00", "25.00", "50.00", "100.00"] },
  },
  recipient_email: { type: "string", format: "email" },
  message: { type: ["string", "null"], maxLength: 500 },
  expires_on: { type: "string", format: "date" },
  redeemed_at: { type: ["string", "null"], format: "datetime" },
} as const;

export const validators = defineValidators({
  create: {
    required: ["code", "amount", "recipient_email", "expires_on"],
    properties: { id: { type: "string", format: "uuid" }, ...properties },
  },
  update: { properties },
  upsert: {
    required: ["code", "amount", "recipient_email", "expires_on"],
    properties: { id: { type: "string", format: "uuid" }, ...properties },
  },
});
