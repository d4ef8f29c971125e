// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  project_id: { type: "integer", format: "int64" },
  reference: { type: ["string", "null"], maxLength: 40 },
  title: { type: "string", minLength: 1, maxLength: 200 },
  status: { enum: ["todo", "doing", "review", "done"] },
  tags: {
    type: "array",
    items: { type: "string", maxLength: 40, pattern: "^[a-z0-9][a-z0-9-]*$" },
    maxItems: 20,
    distinct: "string",
  },
  estimate_hours: { type: ["integer", "null"], format: "int32", minimum: 0 },
  due_on: { type: ["string", "null"], format: "date" },
  reporter_id: { type: "integer", format: "int64" },
  assignee_id: { type: ["integer", "null"], format: "int64" },
} as const;

export const validators = defineValidators({
  create: { required: ["project_id", "title"], properties },
  update: { properties },
  upsert: {
    required: ["project_id", "title"],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
