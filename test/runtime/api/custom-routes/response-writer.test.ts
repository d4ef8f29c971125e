import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { responseWriter } from "#runtime/api/custom-routes/response-writer";

const text = { type: "string" };
const book = { type: "object", properties: { id: { type: "integer" }, title: text } };

describe("fields that the schema does not name are left out", () => {
  // biome-ignore format: one case a line
  it.each<[name: string, schema: object, value: unknown, answer: unknown]>([
    ["of an object", book, { id: 1, title: "a", cost: 2 }, { id: 1, title: "a" }],
    ["of objects in a list", { type: "array", items: book }, [{ id: 1, cost: 2 }, { cost: 3 }], [{ id: 1 }, {}]],
    ["at every depth", { type: "object", properties: { book, books: { type: "array", items: { properties: { book } } } } },
      { book: { id: 1, cost: 2 }, books: [{ book: { id: 2, cost: 2 }, cost: 1 }], more: {} }, { book: { id: 1 }, books: [{ book: { id: 2 } }] }],
    ["of an object that has no names", { type: "object" }, { id: 1 }, {}],
    ["but where any may be", { ...book, additionalProperties: true }, { id: 1, cost: { deep: 2 } }, { id: 1, cost: { deep: 2 } }],
    ["also where others may be", { ...book, additionalProperties: book }, { id: 1, other: { id: 2, cost: 2 } }, { id: 1, other: { id: 2 } }],
    ["also where names are patterns", { type: "object", patternProperties: { "^x": book } }, { xy: { id: 2, cost: 2 }, y: 1 }, { xy: { id: 2 } }],
    ["also where all else is refused", { ...book, additionalProperties: false }, { id: 1, cost: 2 }, { id: 1 }],
    ["but of a value of any kind", { properties: { any: {}, some: { description: "any" } } }, { any: { a: { b: 1 } }, some: [{ c: 1 }] },
      { any: { a: { b: 1 } }, some: [{ c: 1 }] }],
    ["of an object or null", { type: ["object", "null"], properties: { id: {} } }, { id: 1, cost: 2 }, { id: 1 }],
    ["not of a null", { type: ["object", "null"], properties: { id: {} } }, null, null],
    ["by all of several", { allOf: [book, { properties: { price: text } }] }, { id: 1, price: "1", cost: 2 }, { id: 1, price: "1" }],
    ["by the one that fits", { anyOf: [{ type: "null" }, book] }, { id: 1, cost: 2 }, { id: 1 }],
    ["by the one that its kind tells",
      { oneOf: [{ properties: { kind: { const: "a" }, a: text }, required: ["kind"], additionalProperties: false },
          { properties: { kind: { const: "b" }, b: text }, required: ["kind"], additionalProperties: false }] },
      { kind: "b", a: "x", b: "y", c: "z" }, { kind: "b", b: "y" }],
    [
      "by a condition",
      JSON.parse(
        '{"type": "object", "properties": {"kind": {}}, "if": {"properties": {"kind": {"const": "x"}}}, "then": {"properties": {"x": {}}}, "else": {"properties": {"y": {}}}}',
      ),
      { kind: "x", x: 1, y: 1 },
      { kind: "x", x: 1 },
    ],
    ["by a reference, also to the whole",
      { definitions: { "a/b": book }, type: "object", properties: { book: { $ref: "#/definitions/a~1b" }, inner: { $ref: "#" } } },
      { book: { id: 1, cost: 2 }, inner: { book: { id: 2, cost: 2 }, cost: 1 } }, { book: { id: 1 }, inner: { book: { id: 2 } } }],
    ["by a reference into a list", { items: [book, { $ref: "#/items/0" }] }, [{ id: 1, cost: 2 }, { id: 2, cost: 2 }], [{ id: 1 }, { id: 2 }]],
    ["of one of several with a date, which is a text", { anyOf: [{ type: "null" }, { properties: { at: text, more: { properties: { at: text } } } }] },
      { at: new Date(0), more: { at: new Date(0) }, cost: 2 }, { at: new Date(0).toJSON(), more: { at: new Date(0).toJSON() } }],
    ["by a key that is there", { ...book, dependentSchemas: { id: { properties: { price: text } }, title: { properties: { cost: text } } } },
      { id: 1, price: "1", cost: "2" }, { id: 1, price: "1" }],
    ["of a tuple", { type: "array", items: [book, {}], additionalItems: text }, [{ id: 1, cost: 2 }, { any: 1 }, "x"], [{ id: 1 }, { any: 1 }, "x"]],
    ["of a list of anything nothing", { type: "array" }, [{ id: 1 }], [{ id: 1 }]],
    ["names that objects have", { type: "object", properties: { constructor: text } },
      JSON.parse('{"constructor": "a", "__proto__": 1, "toString": 1}'), { constructor: "a" }],
    ["what has no value", book, { id: 1, title: undefined }, { id: 1 }],
  ])("%s", async (_, schema, value, answer) => {
    expect(JSON.parse(await responseWriter(schema)(value))).toEqual(answer);
  });
});

describe("values that become JSON", () => {
  it("a date is its text, where it is one and where anything may be", () => {
    const at = new Date("2026-01-31T10:00:00Z");
    const schema = { properties: { at: { type: "string", format: "date-time" }, any: {} } };
    expect(responseWriter(schema)({ at, any: { at } })).toBe(
      '{"at":"2026-01-31T10:00:00.000Z","any":{"at":"2026-01-31T10:00:00.000Z"}}',
    );
  });

  it("nothing is null", () => {
    expect(responseWriter({ type: "null" })(undefined)).toBe("null");
    expect(() => responseWriter(book)(undefined)).toThrow("must be object");
  });
});

describe("a value that breaks the schema throws with the reason", () => {
  const deep = { properties: { list: { items: { ...book, required: ["id"] } } } };
  const circle: Record<string, unknown> = {};
  circle["any"] = circle;

  it.each<[schema: object, value: unknown, message: string | RegExp]>([
    [book, { id: "1" }, "id must be integer"],
    [deep, { list: [{ id: 1 }, { title: "a" }] }, "list.1.id is required"],
    [{ properties: { any: {} } }, { any: () => 1 }, /cannot be JSON/],
    [{ properties: { any: {} } }, { any: Number.NaN }, /cannot be JSON/],
    [{ properties: { any: {} } }, { any: new Map() }, /cannot be JSON/],
    [{ properties: { any: {} } }, { any: Promise.resolve() }, /cannot be JSON/],
    [{ properties: { any: {} } }, circle, /circular/i],
    [{ properties: { any: { $ref: "#" } } }, circle, /stack/],
    [{ type: "number" }, Number.POSITIVE_INFINITY, "must be number"],
    [{ anyOf: [book, { type: "null" }] }, "text", /anyOf/],
  ])("%j", (schema, value, message) => {
    expect(() => responseWriter(schema)(value)).toThrow(message);
  });
});

test("a library can have its own keywords and patterns for the names of keys", async () => {
  const names = z
    .string()
    .regex(/^(?=a)/)
    .meta({ example: "ab" });
  expect(
    await responseWriter(z.record(names, z.object({ id: z.number() })))({ ab: { id: 1, cost: 2 } }),
  ).toBe('{"ab":{"id":1}}');
});

test.each([
  [{ type: "txt" }, /type/],
  [{ $ref: "https://example.org/schema" }, /https:..example.org.schema/],
  [{ properties: { a: { $ref: "#/definitions/none" } } }, /none/],
])("%j is not a schema, and is refused at once", (schema, message) => {
  expect(() => responseWriter(schema)).toThrow(message);
});

test("many rows are cut in one go", async () => {
  const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, title: "a", cost: 1 }));
  const began = performance.now();
  expect(JSON.parse(await responseWriter({ type: "array", items: book })(rows))).toHaveLength(20_000);
  expect(performance.now() - began).toBeLessThan(3_000);
});
