// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  practice_id: { type: "integer", format: "int64" },
  user_id: { type: "integer", format: "int64" },
  name: { type: "string", maxLength: 120 },
  specialty: { type: "string", maxLength: 80 },
} as const;

export const validators = defineValidators({
  create: { required: ["practice_id", "user_id", "name"], properties },
  update: { properties },
  upsert: {
    required: ["practice_id", "user_id", "name"],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
