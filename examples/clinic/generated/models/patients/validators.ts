// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  practice_id: { type: "integer", format: "int64" },
  doctor_id: { type: "integer", format: "int64" },
  user_id: { type: ["integer", "null"], format: "int64" },
  name: { type: "string", maxLength: 120 },
  born_on: { type: "string", format: "date" },
  closed_at: { type: ["string", "null"], format: "datetime" },
} as const;

export const validators = defineValidators({
  create: { required: ["practice_id", "doctor_id", "name", "born_on"], properties },
  update: { properties },
  upsert: {
    required: ["practice_id", "doctor_id", "name", "born_on"],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
