import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Problem } from "#runtime/core/errors/index";
import { readAppChange } from "#runtime/data/operations/app-input";
import { listItems, readFilters, writeWhere } from "#runtime/data/operations/filters";
import { defineModel } from "#runtime/models/index";

// biome-ignore format: many a line
const model = defineModel({
  key: "books", typeName: "Books", table: "books", slug: "books", id: "bigint", softDelete: true,
  maxLimit: 10,
  fields: {
    title: { kind: "string" }, title_: { kind: "string" }, pages: { kind: "integer" },
    price: { kind: "float" }, sold: { kind: "boolean" }, day: { kind: "date" }, at: { kind: "datetime" },
    doc: { kind: "json" }, ref: { kind: "uuid" }, pin: { kind: "password" },
    state: { kind: "string", enum: ["on", "off"] }, constructor: { kind: "string" },
  },
  relations: {}, uniqueKeys: [], foreignKeys: [],
});

function read(where: Record<string, unknown> | Map<string, unknown>) {
  const problems: Problem[] = [];
  const pairs = where instanceof Map ? where : Object.entries(where);
  const filters = readFilters(model, pairs, problems);
  return {
    problems: problems.map(({ field }) => field),
    filters: filters.map(({ field, operator, value }) => [field, operator, value]),
  };
}

describe("readFilters", () => {
  it.each<[Record<string, unknown>, unknown]>([
    [{ title: "a" }, ["title", "eq", "a"]],
    [{ title_: "a" }, ["title_", "eq", "a"]],
    [{ title___ne: "a" }, ["title_", "ne", "a"]],
    [{ title: null }, ["title", "is_null", null]],
    [{ title__like: "a" }, ["title", "like", "%a%"]],
    [{ title__like: "a%" }, ["title", "like", "a%"]],
    [{ title__like: "😀".repeat(256) }, ["title", "like", `%${"😀".repeat(256)}%`]],
    [{ title__ilike: `${"%".repeat(255)}a` }, ["title", "ilike", `${"%".repeat(255)}a`]],
    [{ title__ilike: "a_\\" }, ["title", "ilike", "%a_\\\\%"]],
    [{ pages: "010" }, ["pages", "eq", "10"]],
    [{ pages: -0 }, ["pages", "eq", "0"]],
    [{ pages__in: "1, 2 ,3" }, ["pages", "in", ["1", "2", "3"]]],
    [{ pages__in: '[1,"2"]' }, ["pages", "in", ["1", "2"]]],
    [{ pages__in: [] }, ["pages", "in", []]],
    [{ pages__between: [1, 2] }, ["pages", "between", ["1", "2"]]],
    [{ price__gte: "1e3" }, ["price", "gte", 1000]],
    [{ price__lt: ".5" }, ["price", "lt", 0.5]],
    [{ sold: "true" }, ["sold", "eq", true]],
    [{ sold: false }, ["sold", "eq", false]],
    [{ day__is_null: "" }, ["day", "is_null", null]],
    [{ day__is_not_null: { any: "value" } }, ["day", "is_not_null", null]],
    [{ state__not_in: "on,off" }, ["state", "not_in", ["on", "off"]]],
    [{ constructor: "x" }, ["constructor", "eq", "x"]],
    [{ id: "9223372036854775807" }, ["id", "eq", "9223372036854775807"]],
  ])("reads %j", (where, filter) => {
    expect(read(where)).toEqual({ problems: [], filters: [filter] });
  });

  it.each<Record<string, unknown>>([
    { nonsense: 1 },
    { title__nonsense: 1 },
    { title__eq: "a" },
    { title__like: 1 },
    { title__like: "" },
    { title__like: "a".repeat(257) },
    { title__ilike: `%${"é".repeat(255)}%` },
    { title__ilike: "😀".repeat(257) },
    { title__like: "a\0" },
    { title__ilike: "\ud800" },
    { title: 1 },
    { title: ["a"] },
    { title: { ne: "a" } },
    { title__ne: null },
    { title: "a\0" },
    { title: "\ud800" },
    { title__in: '["a\\u0000"]' },
    { title__in: '["\\ud800"]' },
    { title__in: "[1" },
    { title__in: "a,,b" },
    { title__in: { 0: "a" } },
    { title__in: null },
    { pages: "1e3" },
    { pages: " 1" },
    { pages: "1.0" },
    { pages: "0x1" },
    { pages: "+1" },
    { pages: "10abc" },
    { pages: 1.5 },
    { pages: 2 ** 31 },
    { pages: "2147483648" },
    { pages: "-2147483649" },
    { pages: "99999999999999999999" },
    { pages: Number.NaN },
    { pages: true },
    { pages__between: [1] },
    { pages__between: [1, 2, 3] },
    { pages__between: "1" },
    { pages__like: "1" },
    { id: "9223372036854775808" },
    { price: "Infinity" },
    { price: "NaN" },
    { price: "1e400" },
    { price: Number.POSITIVE_INFINITY },
    { price: "1,5" },
    { price: "." },
    { sold: "1" },
    { sold: 1 },
    { sold: "TRUE" },
    { sold__gt: true },
    { day: "2024-02-30" },
    { day: "2024-02-29T00:00" },
    { doc: "{}" },
    { doc__in: "[]" },
    { ref: "x" },
    { ref__gt: "00000000-0000-4000-8000-000000000000" },
    { ref: "{00000000-0000-4000-8000-000000000000}" },
    { state: "ON" },
    { state__gt: "on" },
    { state__like: "o" },
    { "": 1 },
    { __: 1 },
    { title__in__in: "a" },
    { toString: "x" },
  ])("refuses %j", (where) => {
    expect(read(where).problems[0]).toBe(Object.keys(where)[0]);
  });

  it("refuses `__proto__`, which is not a field", () => {
    expect(read(JSON.parse('{"__proto__":1}')).problems).toEqual(["__proto__"]);
  });

  it.each(["deleted_at", "deleted_at__gte", "deleted_at__is_null", "deleted_at__nonsense"])(
    "drops %s",
    (name) => {
      for (const value of ["x", null, [], {}])
        expect(read({ [name]: value })).toEqual({ problems: [], filters: [] });
    },
  );

  it("keeps the field of a filter that is malformed, for the check of permissions", () => {
    for (const where of [{ pages: "x" }, { pages__nonsense: 1 }, { pages__like: "x" }, { pages__in: "[" }]) {
      expect(read(where).filters[0]?.[0]).toBe("pages");
    }
    expect(read({ pin: "x" })).toEqual({ problems: ["pin"], filters: [["pin", "in", []]] });
  });

  it("gives hooks a form that it reads again as the same filters", () => {
    const filter = fc.oneof(
      fc.tuple(
        fc.constantFrom("title", "title__like", "title__ilike", "title__ne"),
        fc.string({ minLength: 1 }),
      ),
      fc.tuple(fc.constantFrom("title__in", "title__not_in"), fc.array(fc.string({ minLength: 1 }))),
      fc.tuple(fc.constantFrom("pages", "pages__lte"), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
      fc.tuple(
        fc.constant("price__between"),
        fc.tuple(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()),
      ),
      fc.tuple(fc.constantFrom("sold", "sold__is_null"), fc.boolean()),
      fc.tuple(fc.constantFrom("title__like", "title__ilike"), fc.stringMatching(/^%?[%a😀\\]{250,256}%?$/u)),
      fc.tuple(
        fc.constantFrom("at", "at__lt"),
        fc.constantFrom("2026-01-01T00:00:00.1235Z", "2026-01-01T00:00:00.0000000001+01:00", "2026-01-01"),
      ),
    );
    fc.assert(
      fc.property(fc.uniqueArray(filter, { selector: ([name]) => name }), (pairs) => {
        const problems: Problem[] = [];
        const filters = readFilters(model, pairs, problems);
        fc.pre(problems.length === 0);
        const given = { where: writeWhere(filters), data: {} };
        expect(readAppChange(model, given, problems).filters).toEqual(filters);
        expect(problems.filter(({ message }) => message !== "needs at least one filter")).toEqual([]);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});

describe("listItems", () => {
  // biome-ignore format: one case a line
  it.each<[unknown, unknown]>([
    [[1, 2], [1, 2]],
    ["[1,2]", [1, 2]],
    [" [1]", [1]],
    ["a , b", ["a", "b"]],
    ["a", ["a"]],
    ["", null],
    ["[1", null],
    ["{}", ["{}"]],
    [null, null],
    [7, null],
    [{ length: 1 }, null],
  ])("%j is %j", (value, items) => {
    expect(listItems(value)).toEqual(items);
  });
});
