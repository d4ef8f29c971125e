// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  title: { type: "string", maxLength: 255 },
  state: { enum: ["draft", "live"] },
  size: { enum: ["A4", "9 x 12", null] },
  stars: { enum: [1, 2, 3, null] },
  price: { type: ["number", "null"] },
  pages: { type: ["integer", "null"], format: "int32" },
  extra: {},
  sold: { type: "boolean" },
  listed: { type: ["string", "null"], format: "date" },
  counter: { type: ["integer", "null"], format: "int32" },
  author_id: { type: ["integer", "null"], format: "int64" },
  editor: { type: ["integer", "null"], format: "int64" },
  owner_id: { type: ["integer", "null"], format: "int64" },
  safe_id: { type: ["integer", "null"], format: "int64" },
  closet_id: { type: ["integer", "null"], format: "int64" },
} as const;

export const validators = defineValidators({
  create: { required: ["title"], properties },
  update: { properties },
  upsert: { required: ["title"], properties: { id: { type: "integer", format: "int64" }, ...properties } },
});
