import { describe, expect, test } from "vitest";
import { compileCheck, compileCondition } from "#generator/conditions/index";
import { conditionText } from "#generator/emit/views/condition-view";
import { scopeOf } from "../scope-of-models.ts";
import { tracker } from "../tracker.ts";

// Exact numbers, times of day and lists in row conditions.

const scope = scopeOf(tracker, "organisations");

describe("operands of comparisons", () => {
  const credit = { user: "credit" };
  // biome-ignore format: one case a line
  test.each([
    ["turnover > 12.5", { op: "gt", field: "turnover", value: "12.50" }],
    ["turnover > '12.5'", { op: "gt", field: "turnover", value: "12.50" }],
    ["turnover = -0 OR turnover = 1e3", null],
    ["turnover < 12345678901234567.89", { op: "lt", field: "turnover", value: "12345678901234567.89" }],
    ["turnover BETWEEN 1 AND '2'", { op: "between", field: "turnover", from: "1.00", to: "2.00" }],
    ["turnover IN (1, 1.5)", { op: "in", field: "turnover", values: ["1.00", "1.50"] }],
    ["turnover >= {user.credit}", { op: "gte", field: "turnover", value: credit }],
    ["turnover >= {user.level}", { op: "gte", field: "turnover", value: { user: "level" } }],
    ["turnover = serial", { op: "eq", field: "turnover", value: { field: "serial" } }],
    ["id < serial", { op: "lt", field: "id", value: { field: "serial" } }],
    ["serial = 9007199254740993", { op: "eq", field: "serial", value: "9007199254740993" }],
    ["serial = '-9223372036854775808'", { op: "eq", field: "serial", value: "-9223372036854775808" }],
    ["serial = {user_id}", { op: "eq", field: "serial", value: { placeholder: "user_id" } }],
    ["opens_at < '09:30'", { op: "lt", field: "opens_at", value: "09:30:00.000" }],
    ["opens_at != opens_at", { op: "ne", field: "opens_at", value: { field: "opens_at" } }],
    ["themes CONTAINS 'a'", { op: "contains", field: "themes", value: "a" }],
    ["themes contains {role}", { op: "contains", field: "themes", value: { placeholder: "role" } }],
    ["themes CONTAINS {user.region}", { op: "contains", field: "themes", value: { user: "region" } }],
    ["{user.skills} CONTAINS 'a'", { op: "contains", field: { user: "skills" }, value: "a" }],
    ["owner.skills CONTAINS 'a'", { op: "contains", field: "owner.skills", value: "a" }],
    ["reviewer_ids overlaps (1, {user_id})", { op: "overlaps", field: "reviewer_ids", values: [1, { placeholder: "user_id" }] }],
    ["NOT plans OVERLAPS ('free')", { op: "not", condition: { op: "overlaps", field: "plans", values: ["free"] } }],
    ["rates CONTAINS 1.5", { op: "contains", field: "rates", value: "1.50" }],
    ["seen_at CONTAINS '2025-01-31T12:00:00.123456Z'", { op: "contains", field: "seen_at", value: "2025-01-31T12:00:00.123456Z" }],
    ["themes IS NULL", { op: "is_null", field: "themes" }],
    ["themes = null", { op: "is_null", field: "themes" }],
    ["themes IS NOT NULL", { op: "is_not_null", field: "themes" }],
  ])("%s", (text, condition) => {
    const compiled = compileCondition(text, scope);
    expect(compiled.problems).toEqual([]);
    if (condition !== null) expect(compiled.condition).toEqual(condition);
    const printed = conditionText(compiled.condition ?? { op: "is_null", field: "id" });
    expect(compileCondition(printed, scope).condition).toEqual(compiled.condition);
  });
});

describe("an operand that does not fit is refused, with a correct example", () => {
  const ask = "only CONTAINS, OVERLAPS, IS NULL and IS NOT NULL can test";
  const onlyLists = `"themes" is a list, which ${ask}`;
  const noSide = "one side of a comparison must be a field; lists, ranges and patterns go on the right";
  const digits = "does not fit the field, which has 20 digits, 2 of them after the point";

  // biome-ignore format: one case a line
  test.each<[text: string, message: string, hint: string | null]>([
    ["turnover > 1.555", `the value 1.555 for "turnover" ${digits}`, null],
    ["turnover > '1234567890123456789'", `the value "1234567890123456789" for "turnover" ${digits}`, null],
    ["turnover > -1", 'the value -1 for "turnover" is less than 0.00', null],
    ["turnover = 0.30000000000000001", `the value 0.30000000000000001 for "turnover" ${digits}`, null],
    ["turnover = +0.30000000000000001", `the value +0.30000000000000001 for "turnover" is not a decimal such as '12.50'`, null],
    ["turnover = '1,5'", `the value "1,5" for "turnover" is not a decimal such as '12.50'`, null],
    ["turnover = {user_id}", `{user_id} cannot be compared with "turnover", which is a decimal such as '12.50'`, null],
    ["serial = 9223372036854775808", `the value 9223372036854775808 for "serial" is not an integer of 64 bits such as '9007199254740993'`, null],
    ["serial = 1.5", `the value 1.5 for "serial" is not an integer of 64 bits such as '9007199254740993'`, null],
    ["opens_at = '24:00'", `the value "24:00" for "opens_at" is not a time of day such as '12:30'`, null],
    ["opens_at > now()", `now() cannot be compared with "opens_at", which is a time of day such as '12:30'`, null],
    ["opens_at LIKE '12%'", '"opens_at" is not text, which LIKE needs', null],
    ["turnover > name", '"turnover" is a number that is exact and "name" is a text, which cannot be compared', null],
    ["themes = 'a'", onlyLists, "write themes CONTAINS 'a'"],
    ["'a' = themes", onlyLists, "write themes CONTAINS 'a'"],
    ["themes != {role}", onlyLists, "write NOT themes CONTAINS {role}"],
    ["themes < 'a'", onlyLists, null],
    ["themes IN ('a', 'b')", onlyLists, "write themes OVERLAPS ('a', 'b')"],
    ["themes NOT IN ('a')", onlyLists, "write NOT themes OVERLAPS ('a')"],
    ["themes LIKE '%a%'", onlyLists, "only whole elements can be tested: write themes CONTAINS …"],
    ["themes BETWEEN 'a' AND 'b'", onlyLists, null],
    ["themes = plans", onlyLists, null],
    ["name = themes", '"name" is a text and "themes" is a list, each element of which is a string, which cannot be compared', null],
    ["themes CONTAINS 'more than eight'", 'the value "more than eight" for "themes" is longer than 8 characters', null],
    ["plans CONTAINS 'payed'", 'the value "payed" for "plans" is not one of "free", "paid"', null],
    ["themes CONTAINS null", "a comparison with null is never true", "write themes IS NULL"],
    ["themes CONTAINS 5", 'the value 5 for "themes" is not a string', "write '5'"],
    ["reviewer_ids CONTAINS {role}", '{role} cannot be compared with "reviewer_ids", which is an integer of 32 bits', null],
    ["reviewer_ids CONTAINS {user.region}", '"reviewer_ids" is a number and "{user.region}" is a text, which cannot be compared', null],
    ["themes CONTAINS name", '"name" is a field, but a value is expected here; compare two fields with = != < <= > >=', null],
    ["plans CONTAINS free", '"free" is a field, but a value is expected here; compare two fields with = != < <= > >=',
      "write the string in quotes: 'free'"],
    ["name CONTAINS 'a'", '"name" is not a list, which CONTAINS needs', "write name = 'a', or name LIKE '%…%' for a part of a text"],
    ["name OVERLAPS ('a', 'b')", '"name" is not a list, which OVERLAPS needs', "write name IN ('a', 'b')"],
    ["serial CONTAINS 1", '"serial" is not a list, which CONTAINS needs', "write serial = 1"],
    ["'a' CONTAINS themes", noSide, "write themes CONTAINS 'a'"],
    ["{user_id} IN (reviewer_ids)", noSide, "write reviewer_ids CONTAINS {user_id}"],
    ["{user_id} NOT IN (reviewer_ids)", noSide, "write NOT reviewer_ids CONTAINS {user_id}"],
    ["{user_id} IN reviewer_ids", "expected (, found reviewer_ids", 'if "reviewer_ids" is a list, write reviewer_ids CONTAINS {user_id}'],
    ["'a' = ANY(themes)", "expected AND, OR or the end, found (",
      `if "themes" is a list, write themes CONTAINS 'a'; if it is a relation, write EXISTS (themes WHERE …)`],
    ["themes NOT CONTAINS 'a'", "expected IN, LIKE, ILIKE or BETWEEN, found CONTAINS", "write NOT themes CONTAINS …"],
    ["themes CONTAINS ('a', 'b')", "expected a value, found (",
      "CONTAINS takes one value: write themes CONTAINS 'a' AND themes CONTAINS 'b', or themes OVERLAPS ('a', 'b') if one of them is enough"],
    ["themes OVERLAPS 'a'", "expected (, found 'a'", "OVERLAPS takes values in parentheses: OVERLAPS ('a')"],
    ["themes OVERLAPS ()", "expected a value, found )", "a list has one value or more"],
    ["themes && ('a')", "unexpected &&", "write AND; to look for one of several values in a list, write OVERLAPS ('a', 'b')"],
    ["themes <@ 'a'", "unexpected <@", "to look for one value in a list, write CONTAINS 'a'; for one of several, OVERLAPS ('a', 'b')"],
    ["themes HAS 'a'", "expected an operator, found HAS", "to look for one value in a list, write CONTAINS 'a'; for one of several, OVERLAPS ('a', 'b')"],
  ])("%s", (text, message, hint) => {
    const { condition, problems } = compileCondition(text, scope);
    expect(condition).toBe(null);
    expect(problems.map((problem) => [problem.message, problem.hint])).toEqual([[message, hint]]);
    const instead = hint?.startsWith("write ") && !/[…;:]| where | AND /.test(hint) ? hint.slice(6) : null;
    if (instead !== null && !instead.startsWith("'"))
      expect(compileCondition(instead, scope).problems).toEqual([]);
  });
});

test("a check asks a list of its own row", () => {
  const { condition, problems } = compileCheck("NOT themes CONTAINS 'a' OR plans OVERLAPS ('paid')", scope);
  expect(problems).toEqual([]);
  // biome-ignore format: one case a line
  expect(condition).toEqual({ op: "or",
    conditions: [{ op: "not", condition: { op: "contains", field: "themes", value: "a" } }, { op: "overlaps", field: "plans", values: ["paid"] }],
  });
  expect(compileCheck("themes CONTAINS {role}", scope).problems[0]?.code).toBe("condition-in-check");
});

test("floats keep to themselves", () => {
  // biome-ignore format: one case a line
  const models = { ...tracker,
    offers: { schema: { ratio: { type: "float" }, price: { type: "decimal", precision: 4 }, serial: { type: "bigint" }, ratios: { type: "float[]" } } },
  };
  const offers = scopeOf(models, "offers");
  for (const text of ["ratio = price", "price < ratio", "ratio > serial", "ratios CONTAINS {user.credit}"])
    expect(compileCondition(text, offers).problems[0]?.message).toMatch(/which cannot be compared$/);
  expect(compileCondition("ratios CONTAINS {user.level} AND price >= id", offers).problems).toEqual([]);
});

test("an old condition with such names keeps its meaning", () => {
  const models = {
    boxes: { schema: { contains: { type: "string" }, overlaps: { type: "integer" }, a: { type: "string" } } },
  };
  const boxes = scopeOf(models, "boxes");
  for (const text of [
    "contains = 'x' AND overlaps > 1",
    "a = contains",
    "overlaps IN (1)",
    "contains LIKE 'a'",
  ])
    expect(compileCondition(text, boxes).problems).toEqual([]);
});
