// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  patient_id: { type: "integer", format: "int64" },
  doctor_id: { type: "integer", format: "int64" },
  starts_at: { type: "string", format: "datetime" },
  ends_at: { type: "string", format: "datetime" },
  status: { enum: ["requested", "confirmed", "cancelled"] },
} as const;

export const validators = defineValidators({
  create: { required: ["patient_id", "doctor_id", "starts_at", "ends_at"], filled: ["ends_at"], properties },
  update: { properties },
  upsert: {
    required: ["patient_id", "doctor_id", "starts_at", "ends_at"],
    filled: [],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
