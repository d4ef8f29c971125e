import { Ajv2019 } from "ajv/dist/2019.js";
import { describe, expect, it, test } from "vitest";
import { compileCodeSchema, recordProblems } from "#runtime/models/validation/index";
import { type JsonSchema, schemaKeywords } from "#vocabulary/code-schemas";

test.each([
  [{ type: "string", minLength: 1 }, "", "must not be empty"],
  [{ type: "string", minLength: 2 }, "a", "must have at least 2 characters"],
  [{ type: "string", maxLength: 1 }, "ab", "must have at most 1 character"],
  [{ type: "string", maxLength: 2 }, "abc", "must have at most 2 characters"],
  [{ type: "string", pattern: "^a$" }, "b", "must match ^a$"],
  [{ type: "integer", minimum: 0 }, -1, "must be at least 0"],
  [{ type: "number", maximum: 0.5 }, 1, "must be at most 0.5"],
  [{ type: ["string", "null"] }, 1, "must be string or null"],
  [{ type: "string", enum: ["a", "b"] }, "c", "must be one of a, b"],
])("of %j, %j: %s", (schema, value, message) => {
  const problems = recordProblems({ properties: { field: schema } }, { field: value }, "complete");
  expect(problems).toEqual([{ field: "field", message }]);
});

const decimal = {
  type: ["string", "number"],
  decimal: { precision: 4, scale: 2, minimum: "0.5", maximum: 20 },
};
const int64 = { type: ["string", "integer"], int64: {} };
const outside = "must be a whole number between -9223372036854775808 and 9223372036854775807";
const noNumber = "must be a number such as 12.50";
const tooWide = "must be a decimal with at most 2 digits before the point and at most 2 after it";
const list = (items: object, more: object = {}) => ({ type: "array", items, ...more });

// biome-ignore format: one case a line
test.each([
  [decimal, "0.50", null],
  [decimal, 20, null],
  [decimal, "1.505", tooWide],
  [decimal, "100", tooWide],
  [decimal, "1e1", noNumber],
  [decimal, "12,50", noNumber],
  [decimal, "01", noNumber],
  [decimal, "", noNumber],
  [decimal, true, "must be string or number"],
  [decimal, null, "must be string or number"],
  [decimal, 0.1 + 0.2, "must be sent as a string if it has more than 15 digits"],
  [decimal, Number.POSITIVE_INFINITY, "must be string or number"],
  [decimal, "0.49", "must be at least 0.5"],
  [decimal, 20.01, "must be at most 20"],
  [{ decimal: { precision: 1, scale: 0 } }, "0.5", "must be a decimal with at most 1 digit before the point and none after it"],
  [{ decimal: { precision: 2, scale: 2 } }, "1.5", "must be a decimal with 0 before the point and at most 2 after it"],
  [{ decimal: { precision: 3, scale: 2, enum: ["1.50", 2] } }, "2.0", null],
  [{ decimal: { precision: 3, scale: 2, enum: ["1.50", 2] } }, 1.6, "must be one of 1.50, 2.00"],
  [int64, "9223372036854775807", null],
  [int64, "9223372036854775808", outside],
  [int64, "1.0", outside],
  [int64, "1e5", "must be a whole number such as 9007199254740993"],
  [int64, 2 ** 53, "must be sent as a string beyond 9007199254740991"],
  [int64, 1.5, "must be string or integer"],
  [{ int64: { minimum: "9007199254740993", enum: ["9007199254740993"] } }, "9007199254740992", "must be one of 9007199254740993"],
  [{ int64: { maximum: "9007199254740993" } }, "9007199254740994", "must be at most 9007199254740993"],
  [list(decimal), ["1", 2, "0.1", "x"], "[2] must be at least 0.5"],
  [list({ type: "string" }), ["a", null], "[1] must be string"],
  [list({ type: "string" }), "a", "must be array"],
  [list({ enum: ["a"] }), ["b"], "[0] must be one of a"],
  [list({ type: "string", format: "date" }), ["2026-02-30"], "[0] must be a date, YYYY-MM-DD"],
  [list({ type: "string" }, { minItems: 1 }), [], "must have at least 1 element"],
  [list({ type: "string" }, { maxItems: 2 }), ["a", "b", 1], "must have at most 2 elements"],
  [list(decimal, { distinct: "decimal" }), ["1.5", 2, 1.5], "must not hold the same twice, as at [0] and [2]"],
  [list({ type: "string" }, { distinct: "uuid" }), ["AB", "ab"], "must not hold the same twice, as at [0] and [1]"],
  [list({ type: "string" }, { distinct: "string" }), ["AB", "ab"], null],
])("of %j, %j: %s", (schema, value, message) => {
  const problems = recordProblems({ properties: { field: schema } }, { field: value }, "complete");
  expect(problems).toEqual(message === null ? [] : [{ field: "field", message }]);
});

test("types are checked without bounds, and the size of a decimal is one of its type", () => {
  const properties = {
    decimal,
    list: list(decimal, { minItems: 3, maxItems: 1, distinct: "decimal" }),
    int64: { int64: { minimum: 5, enum: [1] } },
  };
  const problems = (record: object) =>
    recordProblems({ properties }, record, "types").map(({ field }) => field);
  expect(problems({ decimal: "0.1", list: ["0.1", "0.1"], int64: 1 })).toEqual([]);
  expect(problems({ decimal: "0.001", list: ["1", "0.001"], int64: 2 })).toEqual([
    "decimal",
    "list",
    "int64",
  ]);
});

/** What is wrong with a value by a schema whose objects are closed, each as `field: message`. */
function problems(schema: JsonSchema, value: unknown): string[] {
  return compileCodeSchema(schema)(value).map(({ field, message }) => `${field}: ${message}`);
}

const text = { type: "string" };
const conditional = JSON.parse(
  '{"properties": {"kind": {}}, "if": {"properties": {"kind": {"const": "x"}}}, "then": {"properties": {"x": {}}}}',
);
const address = { type: "object", properties: { city: text }, required: ["city"] };

describe("keys that the schema of an object does not name are refused by default", () => {
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

test("two schemas can have the same $id, and any draft", () => {
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

  it("reports the first of many wrong entries of a list", () => {
    const list = { properties: { list: { type: "array", items: { type: "integer" } } } };
    expect(problems(list, { list: Array.from({ length: 100_000 }, () => "") })).toEqual([
      "list.0: must be integer",
    ]);
  });
});

const order = {
  type: "object",
  properties: {
    id: { type: "integer", minimum: 1 },
    lines: {
      type: "array",
      items: { type: "object", properties: { "a/b": { type: "string" } }, required: ["a/b"] },
    },
    labels: { type: "object", additionalProperties: { type: "string", maxLength: 2 } },
    address: { anyOf: [{ type: "object", properties: { street: { type: "string" } } }, { type: "null" }] },
    when: { type: "string", format: "datetime" },
  },
  required: ["id"],
};

test.each<[text: string, field: string | null, message?: string]>([
  ['{"id": 1}', null],
  ['{"id": 1, "labels": {"anything": "ab"}, "address": null, "when": "2026-01-31"}', null],
  ["[]", "", "must be object"],
  ["{}", "id", "is required"],
  ['{"id": 0}', "id", "must be at least 1"],
  ['{"id": 1, "more": 1}', "more", "is not a field"],
  ['{"id": 1, "__proto__": {}}', "__proto__", "is not a field"],
  ['{"id": 1, "constructor": 1}', "constructor", "is not a field"],
  ['{"id": 1, "lines": [{"a/b": "x"}, {}]}', "lines.1.a/b", "is required"],
  ['{"id": 1, "lines": [{"a/b": 1}]}', "lines.0.a/b", "must be string"],
  ['{"id": 1, "lines": [{"a/b": "x", "more": 1}]}', "lines.0.more", "is not a field"],
  ['{"id": 1, "labels": {"long": "abc"}}', "labels.long", "must have at most 2 characters"],
  ['{"id": 1, "address": {"more": 1}}', "address.more", "is not a field"],
  ['{"id": 1, "when": "soon"}', "when", "must be an ISO-8601 date or datetime"],
])("%s: %s %s", (text, field, message) => {
  const [problem = null] = compileCodeSchema(order)(JSON.parse(text));
  expect(problem).toEqual(field === null ? null : { field, message });
});

// biome-ignore format: one case a line
test.each([
  [{ type: "object", propertys: {} }, /propertys/],
  [{ type: "text" }, /type must be/],
  [{ type: "string", format: "moon" }, /format "moon"/],
  [{ type: "string", pattern: "(" }, /\(/],
  [{ type: "string", pattern: "(?=x)" }, /invalid/i],
  // With the path to the invalid part.
  [{ type: "object", properties: { a: { anyOf: [{}, { items: { typ: 1 } }] } } }, /^properties\.a\.anyOf\.1\.items: .*"typ"/],
  [{ properties: { a: { $ref: "#/definitions/none" } }, required: "a" }, /^(?!properties)/],
])("%j is not a schema, and is refused at once", (schema, message) => {
  expect(() => compileCodeSchema(schema)).toThrow(message);
});

test("a pattern takes linear time, for any pattern and any input", () => {
  const check = compileCodeSchema({ type: "string", pattern: "^(a+)+$" });
  expect(check(`${"a".repeat(50_000)}b`)).toHaveLength(1);
});

test("the keywords that the generator knows are those that schemas may have at the start", () => {
  const known = new Ajv2019({ meta: false }).RULES.keywords;
  expect(Object.keys(schemaKeywords).sort()).toEqual(Object.keys(known).sort());
});
