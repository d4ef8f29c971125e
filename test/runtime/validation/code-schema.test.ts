import { expect, test } from "vitest";
import { compileCodeSchema } from "#runtime/validation/index";

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

test("an object says otherwise where it takes more", () => {
  expect(compileCodeSchema({ ...order, additionalProperties: true })({ id: 1, more: 1 })).toEqual([]);
});

// biome-ignore format: one case a line
test.each([
  [{ type: "object", propertys: {} }, /propertys/],
  [{ type: "text" }, /type must be/],
  [{ type: "string", format: "moon" }, /format "moon"/],
  [{ type: "string", pattern: "(" }, /\(/],
  // With the way to the part that is none.
  [{ type: "object", properties: { a: { anyOf: [{}, { items: { typ: 1 } }] } } }, /^properties\.a\.anyOf\.1\.items: .*"typ"/],
  [{ properties: { a: { $ref: "#/definitions/none" } }, required: "a" }, /^(?!properties)/],
])("%j is no schema, and that is said at once", (schema, message) => {
  expect(() => compileCodeSchema(schema)).toThrow(message);
});

test("a pattern takes linear time, whatever it is and whatever is sent", () => {
  const check = compileCodeSchema({ type: "string", pattern: "^(a+)+$" });
  expect(check(`${"a".repeat(50_000)}b`)).toHaveLength(1);
});
