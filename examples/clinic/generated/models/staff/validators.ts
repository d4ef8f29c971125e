// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  practice_id: { type: "integer", format: "int64" },
  user_id: { type: "integer", format: "int64" },
  duty: { enum: ["manager", "reception"] },
} as const;

export const validators = defineValidators({
  create: { required: ["practice_id", "user_id"], properties },
  update: { properties },
  upsert: {
    required: ["practice_id", "user_id"],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
