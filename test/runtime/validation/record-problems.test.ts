import { expect, test } from "vitest";
import { recordProblems } from "#runtime/validation/index";

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
  [decimal, 0.1 + 0.2, "must be sent as a text where it has more than 15 digits"],
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
  [int64, 2 ** 53, "must be sent as a text beyond 9007199254740991"],
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
