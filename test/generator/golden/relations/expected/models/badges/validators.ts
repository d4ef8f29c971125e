// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  person_id: { type: "integer", format: "int64" },
} as const;

export const validators = defineValidators({
  create: { required: ["person_id"], properties },
  update: { properties },
  upsert: {
    required: ["person_id"],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
