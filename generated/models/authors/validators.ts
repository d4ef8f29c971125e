// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  name: { type: "string", minLength: 1, maxLength: 120 },
  country: { type: ["string", "null"], maxLength: 2, pattern: "^[A-Z]{2}$" },
  born_on: { type: ["string", "null"], format: "date" },
  biography: { type: ["string", "null"], maxLength: 10000 },
  website: { type: ["string", "null"], maxLength: 2000, pattern: "^https?://[^\\s]+$" },
  contact_email: { type: ["string", "null"], format: "email" },
  royalty_percent: { type: "number", minimum: 0, maximum: 50 },
} as const;

export const validators = defineValidators({
  create: { required: ["name"], properties },
  update: { properties },
  upsert: { required: ["name"], properties: { id: { type: "integer", format: "int64" }, ...properties } },
});
