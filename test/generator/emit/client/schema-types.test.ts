import { expect, test } from "vitest";
import { schemaType, type ValueSide } from "#generator/emit/client/types/schema-types";
import type { DocumentSchema } from "#vocabulary/openapi/document";

const typeOf = (schema: DocumentSchema, side: ValueSide) => schemaType(schema, side, (name) => `<${name}>`);

const object = (properties: object, more: object = {}): DocumentSchema =>
  JSON.parse(JSON.stringify({ type: "object", properties, ...more }));

/** Schemas, and their types in answers. */
// biome-ignore format: one case a line
test.each<readonly [schema: DocumentSchema, type: string]>([
  [true, "unknown"],
  [false, "never"],
  [{}, "unknown"],
  [{ type: "string", format: "date", pattern: "*/" }, "string"],
  [{ type: "integer" }, "number"],
  [{ type: ["number", "string", "null"] }, "number | string | null"],
  [{ type: ["integer", "number"] }, "number"],
  [{ const: "a" }, '"a"'],
  [{ const: null }, "null"],
  [{ enum: ["a", "\"b\\", "c\u2028\n", "a", -1, true, null] }, '"a" | "\\"b\\\\" | "c\\u2028\\n" | -1 | true | null'],
  [{ enum: [{ "a-b": [1, "x"] }, []] }, '{ "a-b": [1, "x"] } | []'],
  [{ $ref: "#/components/schemas/Books" }, "<Books>"],
  [{ $ref: "#/components/schemas/Books", minProperties: 1 }, "<Books>"],
  [{ type: "array", items: { enum: ["a", "b"] } }, '("a" | "b")[]'],
  [{ type: "array", items: { enum: ["a|b"] } }, '("a|b")[]'],
  [{ type: "array" }, "unknown[]"],
  [{ type: "array", items: { type: "array", items: { type: "string" } } }, "string[][]"],
  [{ type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], items: false, minItems: 2 }, "[string, number]"],
  [{ type: "array", prefixItems: [{ type: ["string", "null"] }], items: { type: "integer" } }, "[(string | null)?, ...number[]]"],
  [object({ a: { type: "string" }, b: {} }, { required: ["a"] }), "{ a: string; b?: unknown }"],
  [object({ "a-b": true, __proto: true, constructor: true, new: true, "*/": true, "é": true }),
    '{ "a-b"?: unknown; __proto?: unknown; constructor?: unknown; new?: unknown; "*/"?: unknown; "é"?: unknown }'],
  [JSON.parse('{"type": "object", "properties": {"__proto__": {"type": "string"}}}'), '{ ["__proto__"]?: string }'],
  [object({}, { required: ["a"] }), "{ a: unknown }"],
  [object({}), "{ [name: string]: unknown }"],
  [object({}, { additionalProperties: false }), "{ [name: string]: never }"],
  [object({}, { additionalProperties: { type: "integer" } }), "{ [name: string]: number }"],
  [object({ a: { type: "string" } }, { additionalProperties: { type: "integer" } }), "{ a?: string; [name: string]: unknown }"],
  [object({}, { patternProperties: { "^x": { type: "string" } }, additionalProperties: false }), "{ [name: string]: string }"],
  [{ properties: { a: true } }, "{ a?: unknown }"],
  [{ items: { type: "string" } }, "string[]"],
  [{ allOf: [{ $ref: "#/components/schemas/A" }], ...Object(object({ b: { type: "null" } }, { required: ["b"] })) }, "<A> & { b: null }"],
  [{ type: "object", allOf: [{ $ref: "#/components/schemas/A" }], unevaluatedProperties: false }, "<A>"],
  [{ anyOf: [{ type: "string" }, { type: "string", format: "uuid" }, false] }, "string"],
  [{ anyOf: [{ type: "string" }, true] }, "unknown"],
  [{ oneOf: [{ type: "string" }, { type: "null" }], anyOf: [{ type: "string" }] }, "string & (string | null)"],
  [{ not: { type: "string" } }, "unknown"],
  [{ if: true, else: { type: "string" }, type: "integer" }, "number"],
])("%j", (schema, type) => {
  expect(typeOf(schema, "answered")).toBe(type);
});

test("lists of a request are readonly, and its optional properties can be undefined", () => {
  const list = { type: "array", items: { type: "string" } };
  expect(typeOf(object({ a: list, b: { type: "array", items: list } }, { required: ["b"] }), "sent")).toBe(
    "{ a?: readonly string[] | undefined; b: readonly (readonly string[])[] }",
  );
});
