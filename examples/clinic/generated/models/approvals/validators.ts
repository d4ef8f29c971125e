// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  record_id: { type: "integer", format: "int64" },
  doctor_id: { type: "integer", format: "int64" },
  outcome: { enum: ["approved", "rejected"] },
} as const;

export const validators = defineValidators({
  create: { required: ["record_id", "doctor_id", "outcome"], properties },
  update: { properties },
  upsert: {
    required: ["record_id", "doctor_id", "outcome"],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
