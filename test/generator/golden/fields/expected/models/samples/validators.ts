// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineValidators } from "kirak/model";

const properties = {
  label: { type: "string", minLength: 2, maxLength: 40, pattern: "^[a-z\"'\\\\]+$" },
  code: { type: ["string", "null"], maxLength: 255 },
  region: { enum: ["north", "south", "o'brien", '"both"'] },
  size: { enum: [1, 2, 3, null] },
  body: { type: ["string", "null"], minLength: 1, maxLength: 1000 },
  count: { type: ["integer", "null"], format: "int32", minimum: 0, maximum: 10 },
  ratio: { type: ["number", "null"], minimum: -0.5, maximum: 1.5 },
  active: { type: "boolean" },
  moment: { type: ["string", "null"], format: "datetime" },
  seen: { type: ["string", "null"], format: "datetime" },
  day: { type: ["string", "null"], format: "date" },
  contact: { type: "string", format: "email" },
  secret: { type: ["string", "null"], format: "password", minLength: 8 },
  extra: {},
  settings: { type: ["object", "array", "string", "number", "boolean"] },
  token: { type: "string", format: "uuid" },
  price: {
    type: ["string", "number", "null"],
    decimal: { precision: 12, scale: 2, minimum: "0.00", maximum: "9999999999.99" },
  },
  tax: { type: ["string", "number", "null"], decimal: { precision: 3, scale: 1, enum: ["7.0", "19.0"] } },
  views: { type: ["string", "integer", "null"], int64: { minimum: "-9007199254740993" } },
  opens: { type: ["string", "null"], format: "time" },
  tags: {
    type: "array",
    items: { type: "string", minLength: 1, maxLength: 20, pattern: "^[a-z\"'\\\\]+$" },
    minItems: 1,
    maxItems: 5,
    distinct: "string",
  },
  sizes: { type: ["array", "null"], items: { enum: [1, 2, 3] }, maxItems: 1000 },
  rates: {
    type: ["array", "null"],
    items: { type: ["string", "number"], decimal: { precision: 5, scale: 2, minimum: "0.01" } },
    maxItems: 1000,
  },
  owners: { type: ["array", "null"], items: { type: ["string", "integer"], int64: {} }, maxItems: 1000 },
  moments: { type: ["array", "null"], items: { type: "string", format: "datetime" }, maxItems: 1000 },
  keys: { type: ["array", "null"], items: { type: "string", format: "uuid" }, maxItems: 1000 },
} as const;

export const validators = defineValidators({
  create: { required: ["label", "contact", "settings", "token"], properties },
  update: { properties },
  upsert: {
    required: ["label", "contact", "settings", "token"],
    properties: { id: { type: "integer", format: "int64" }, ...properties },
  },
});
