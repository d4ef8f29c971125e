// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  patient_id: { type: "integer", format: "int64" },
  doctor_id: { type: "integer", format: "int64" },
  text: { type: "string", minLength: 1, maxLength: 20000 },
} as const;

export const validators = defineValidators({
  create: { required: ["patient_id", "doctor_id", "text"], properties },
  update: { properties },
  upsert: {
    required: ["patient_id", "doctor_id", "text"],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
