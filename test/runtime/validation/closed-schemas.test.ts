import { describe, expect, it, test } from "vitest";
import { compileCodeSchema, type JsonSchema } from "#runtime/validation/index";

/** What is wrong with a value by a schema whose objects are closed, each as `field: message`. */
function problems(schema: JsonSchema, value: unknown): string[] {
  return compileCodeSchema(schema)(value).map(({ field, message }) => `${field}: ${message}`);
}

const text = { type: "string" };
const conditional = JSON.parse(
  '{"properties": {"kind": {}}, "if": {"properties": {"kind": {"const": "x"}}}, "then": {"properties": {"x": {}}}}',
);
const address = { type: "object", properties: { city: text }, required: ["city"] };

describe("keys that no schema of an object names are refused, unless it says otherwise", () => {
  // biome-ignore format: one case a line
  it.each<[name: string, schema: JsonSchema, value: object, problems: string[]]>([
    ["one that is named", { properties: { a: text } }, { a: "" }, []],
    ["one that is not", { properties: { a: text } }, { a: "", b: 1 }, ["b: is not a field"]],
    ["of an object that names none", { type: "object" }, { b: 1 }, ["b: is not a field"]],
    ["of an object or null", { type: ["object", "null"] }, { b: 1 }, ["b: is not a field"]],
    ["of anything", {}, { b: 1 }, []],
    ["additionalProperties: true", { type: "object", additionalProperties: true }, { b: 1 }, []],
    ["a schema for them", { type: "object", additionalProperties: text }, { b: 1 }, ["b: must be string"]],
    ["patterns", { type: "object", patternProperties: { "^x-": text } }, { "x-a": "" }, []],
    ["others than patterns", { type: "object", patternProperties: { "^x-": text } }, { y: "" }, ["y: is not a field"]],
    ["deep", { properties: { at: address } }, { at: { city: "", zip: 1 } }, ["at.zip: is not a field"]],
    ["in a list", { properties: { to: { items: address } } }, { to: [{ city: "" }, { city: "", zip: 1 }] }, ["to.1.zip: is not a field"]],
    ["deep, of all that it takes", { properties: { at: { ...address, additionalProperties: true } } }, { at: { city: "", zip: 1 } }, []],
    ["allOf adds up", { allOf: [address, { properties: { zip: text } }] }, { city: "", zip: "" }, []],
    ["allOf", { allOf: [address, { properties: { zip: text } }] }, { city: "", street: "" }, ["street: is not a field"]],
    ["the branch that fits", { anyOf: [address, { properties: { zip: text }, required: ["zip"] }] }, { zip: "" }, []],
    ["of another branch", { anyOf: [address, { properties: { zip: text }, required: ["zip"] }] }, { zip: "", street: "" },
      ["street: is not a field"]],
    ["$ref", { definitions: { address }, properties: { at: { $ref: "#/definitions/address" } } }, { at: { city: "", zip: "" } },
      ["at.zip: is not a field"]],
    ["a recursive one", { properties: { a: text, inner: { $ref: "#" } } }, { inner: { inner: { b: 1 } } }, ["inner.inner.b: is not a field"]],
    ["what a condition adds", conditional, { kind: "x", x: "" }, []],
    ["what no condition adds", conditional, { kind: "y", x: "" }, ["x: is not a field"]],
    ["__proto__", { properties: { a: text } }, JSON.parse('{"__proto__": {"a": 1}}'), ["__proto__: is not a field"]],
    ["a name that objects have", { properties: { a: text } }, { constructor: 1 }, ["constructor: is not a field"]],
  ])("%s", (_, schema, value, expected) => {
    expect(problems(schema, value)).toEqual(expected);
  });
});

describe("problems", () => {
  const schema = {
    type: "object",
    properties: {
      name: { type: "string", minLength: 1 },
      count: { type: "integer", minimum: 1 },
      at: { type: "string", format: "date-time" },
      on: { type: "string", format: "date" },
      lines: {
        type: "array",
        items: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
      },
      kind: { enum: ["a", "b"] },
    },
    required: ["name", "count"],
  };

  // biome-ignore format: one case a line
  it.each<[value: unknown, problems: string[]]>([
    [{ name: "x", count: 1 }, []],
    [{ name: "", count: 0, other: 1 }, ["other: is not a field", "name: must not be empty", "count: must be at least 1"]],
    [{}, ["name: is required", "count: is required"]],
    [{ name: "x", count: 1, lines: [{ id: 1 }, {}, { id: "1" }] }, ["lines.1.id: is required"]],
    [{ name: "x", count: 1, at: "yesterday" }, ["at: must be an ISO-8601 date or datetime"]],
    [{ name: "x", count: 1, at: "2026-01-31T10:00:00Z", on: "2026-02-30" }, ["on: must be a date, YYYY-MM-DD"]],
    [{ name: "x", count: 1, kind: "c" }, ["kind: must be one of a, b"]],
    [[], [": must be object"]],
  ])("of %j", (value, expected) => {
    expect(problems(schema, value)).toEqual(expected);
  });
});

describe("schemas that are none stop whoever compiles them", () => {
  it.each<[schema: JsonSchema, message: RegExp]>([
    [{ type: "txt" }, /type/],
    [{ properties: { a: { typ: "string" } } }, /unknown keyword: "typ"/],
    [{ type: "string", format: "zip" }, /unknown format "zip"/],
    [{ type: "string", pattern: "(?=x)" }, /invalid/i],
    [{ $ref: "#/definitions/none" }, /can't resolve reference/],
  ])("%j", (schema, message) => {
    expect(() => problems(schema, {})).toThrow(message);
  });
});

test("two schemas may have one name, and any draft of theirs", () => {
  const $schema = "http://json-schema.org/draft-07/schema#";
  for (const type of ["string", "integer"])
    expect(problems({ $id: "x", $schema, type }, null)).toHaveLength(1);
});

describe("hostile values", () => {
  const unique = { properties: { list: { type: "array", uniqueItems: true } } };
  const hostile = JSON.parse('{"valueOf": 1, "toString": 1, "constructor": 1, "__proto__": 1}');

  it("are compared without their own words for it", () => {
    expect(problems(unique, { list: [hostile, { ...hostile, x: 1 }] })).toEqual([]);
    expect(problems(unique, { list: [hostile, 1, hostile] })).toEqual([
      "list: must not hold the same twice, as at [0] and [2]",
    ]);
    expect(problems({ properties: { a: { const: { valueOf: 1 } } } }, { a: hostile })).toHaveLength(1);
    expect(problems({ properties: { a: { const: { b: 1, c: [2] } } } }, { a: { c: [2], b: 1 } })).toEqual([]);
  });

  it("a long list is gone through once", () => {
    const began = performance.now();
    expect(problems(unique, { list: Array.from({ length: 200_000 }, (_, index) => [index]) })).toEqual([]);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it("of a list with many that are wrong the first is told", () => {
    const list = { properties: { list: { type: "array", items: { type: "integer" } } } };
    expect(problems(list, { list: Array.from({ length: 100_000 }, () => "") })).toEqual([
      "list.0: must be integer",
    ]);
  });
});
