// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  title: { type: "string", minLength: 1, maxLength: 200 },
  subtitle: { type: ["string", "null"], maxLength: 200 },
  isbn: { type: "string", maxLength: 17, pattern: "^97[89][0-9 -]{10,14}$" },
  slug: { type: "string", maxLength: 255, pattern: "^[a-z0-9]+(-[a-z0-9]+)*$" },
  author_id: { type: "integer", format: "int64" },
  status: { enum: ["draft", "published", "out_of_print"] },
  published_at: { type: ["string", "null"], format: "datetime" },
  released_on: { type: ["string", "null"], format: "date" },
  format: { enum: ["hardback", "paperback", "audio", "ebook"] },
  language: { type: "string", maxLength: 2, pattern: "^[a-z]{2}$" },
  pages: { type: ["integer", "null"], format: "int32", minimum: 1, maximum: 20000 },
  price: {
    type: ["string", "number"],
    decimal: { precision: 8, scale: 2, minimum: "0.00", maximum: "100000.00" },
  },
  cost: {
    type: ["string", "number", "null"],
    decimal: { precision: 8, scale: 2, minimum: "0.00", maximum: "100000.00" },
  },
  stock: { type: "integer", format: "int32", minimum: 0 },
  featured: { type: "boolean" },
  average_rating: { type: ["number", "null"], minimum: 1, maximum: 5 },
  blurb: { type: ["string", "null"], maxLength: 5000 },
  details: {},
} as const;

export const validators = defineValidators({
  create: { required: ["title", "isbn", "slug", "author_id", "price"], filled: ["slug"], properties },
  update: { properties },
  upsert: {
    required: ["title", "isbn", "slug", "author_id", "price"],
    filled: ["slug"],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
