// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  task_id: { type: "integer", format: "int64" },
  author_id: { type: "integer", format: "int64" },
  body: { type: "string", minLength: 1, maxLength: 10000 },
} as const;

export const validators = defineValidators({
  create: { required: ["task_id", "body"], properties },
  update: { properties },
  upsert: {
    required: ["task_id", "body"],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
