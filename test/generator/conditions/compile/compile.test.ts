import { describe, expect, test } from "vitest";
import { type ConditionColumn, compileCondition, type ScopeModel } from "#generator/conditions/index";
import type { FieldKind } from "#vocabulary/fields/field-kinds";

function column(kind: FieldKind, rules: Partial<ConditionColumn> = {}): ConditionColumn {
  return { kind, enum: null, minimum: null, maximum: null, maxLength: null, decimal: null, ...rules };
}

// biome-ignore format: one case a line
const caller = { allowed: new Map([["is_active", column("boolean")], ["team", column("bigint")], ["region", column("string")]]),
  refusal: (name: string) => ({ reason: `no ${name}`, hint: null }),
};

const authors: ScopeModel = {
  model: "authors",
  columns: new Map([["country", column("string", { maxLength: 2 })]]),
  relations: new Map(),
  collections: new Set(),
  caller,
  conditions: new Map(),
  models: () => [],
};

const author = {
  name: "author",
  kind: "belongs_to",
  field: "author_id",
  references: "id",
  target: authors,
} as const;

// biome-ignore format: one case a line
const scope: ScopeModel = { model: "books",
  columns: new Map([
    ["id", column("bigint")],
    ["title", column("string", { maxLength: 10 })],
    ["status", column("string", { enum: ["draft", "published"] })],
    ["pages", column("integer", { minimum: 1 })],
    ["price", column("float")],
    ["sold_out", column("boolean")],
    ["key", column("uuid")],
    ["pin", column("password")],
    ["details", column("json")],
    ["released_on", column("date")],
    ["bought_at", column("datetime")],
    ["contact", column("email")],
    ["author_id", column("bigint")],
  ]),
  relations: new Map([["author", author], ["author_id", author]]),
  collections: new Set(["reviews"]),
  caller,
  conditions: new Map(),
  models: () => [],
};

describe("row conditions with types", () => {
  // biome-ignore format: one case a line
  test.each([
    ["id = {user_id}", { op: "eq", field: "id", value: { placeholder: "user_id" } }],
    ["{user_id} = id", { op: "eq", field: "id", value: { placeholder: "user_id" } }],
    ["now() >= bought_at", { op: "lte", field: "bought_at", value: { placeholder: "now" } }],
    ["author_id.country = 'NL'", { op: "eq", field: "author.country", value: "NL" }],
    ["title = null", { op: "is_null", field: "title" }],
    ["null <> title", { op: "is_not_null", field: "title" }],
    ["details is not null", { op: "is_not_null", field: "details" }],
    ["title NOT LIKE 'a%'", { op: "not", condition: { op: "like", field: "title", value: "a%" } }],
    [`title LIKE '${"😀".repeat(256)}'`, { op: "like", field: "title", value: "😀".repeat(256) }],
    ["title LIKE '%more than ten%'", { op: "like", field: "title", value: "%more than ten%" }],
    ["status NOT IN ('draft')", { op: "not_in", field: "status", values: ["draft"] }],
    ["status IN ('draft', {role})", { op: "in", field: "status", values: ["draft", { placeholder: "role" }] }],
    ["price BETWEEN 1 AND 2.5", { op: "between", field: "price", from: 1, to: 2.5 }],
    ["bought_at > '2025-01-01T02:00+02'", { op: "gt", field: "bought_at", value: "2025-01-01T00:00:00.000Z" }],
    ["bought_at > '2025-01-01T02:00+02:00'", { op: "gt", field: "bought_at", value: "2025-01-01T00:00:00.000Z" }],
    ["bought_at > '2025-01-01T02:00:00.1235+02:00'", { op: "gt", field: "bought_at", value: "2025-01-01T00:00:00.123500Z" }],
    ["released_on = '2024-02-29'", { op: "eq", field: "released_on", value: "2024-02-29" }],
    ["key = '6F9619FF-8B86-D011-B42D-00C04FC964FF'", { op: "eq", field: "key", value: "6f9619ff-8b86-d011-b42d-00c04fc964ff" }],
    ["sold_out = TRUE", { op: "eq", field: "sold_out", value: true }],
    ["contact = {email}", { op: "eq", field: "contact", value: { placeholder: "email" } }],
    ["id = 1 AND (id = 2 AND id = 3)", { op: "and", conditions: [1, 2, 3].map((value) => ({ op: "eq", field: "id", value })) }],
  ])("%s", (text, condition) => {
    expect(compileCondition(text, scope)).toEqual({ condition, written: condition, problems: [] });
  });

  test.each([
    ["pin = 'x'", "condition-field", 0],
    ["pin IS NULL", "condition-field", 0],
    ["reviews.id = 1", "condition-field", 0],
    ["reviews IS NULL", "condition-field", 0],
    ["author.country.x = 1", "condition-field", 0],
    ["title = pages", "condition-field", 8],
    ["title LIKE status", "condition-field", 11],
    ["{role} IN ('a')", "condition-field", 0],
    ["{role} = 'a'", "condition-field", 0],
    ["key < '6f9619ff-8b86-d011-b42d-00c04fc964ff'", "condition-operator", 4],
    ["sold_out BETWEEN false AND true", "condition-operator", 9],
    ["details = 'x'", "condition-operator", 8],
    ["id LIKE '1%'", "condition-operator", 3],
    ["title LIKE null", "condition-value", 11],
    [`title NOT ILIKE '${"x".repeat(257)}'`, "condition-value", 16],
    ["pages = 0", "condition-value", 8],
    ["pages = 1.5", "condition-value", 8],
    ["pages = 3000000000", "condition-value", 8],
    ["id = 9007199254740993", "condition-value", 5],
    ["title = 'more than ten'", "condition-value", 8],
    ["status = 'new'", "condition-value", 9],
    ["id IN (1, null)", "condition-value", 10],
    ["released_on = '2025-02-29'", "condition-value", 14],
    ["released_on = '2025-01-01T00:00Z'", "condition-value", 14],
    ["bought_at = '2025-01-01T24:00Z'", "condition-value", 12],
    ["price = {user_id}", "condition-value", 8],
    ["pages = {role}", "condition-value", 8],
    ["title = now()", "condition-value", 8],
  ])("%s is refused where it is wrong", (text, code, offset) => {
    const { condition, problems } = compileCondition(text, scope);
    expect(condition).toBe(null);
    expect(problems.map((problem) => [problem.code, problem.at.offset])).toEqual([[code, offset]]);
  });

  test("all problems of a condition are collected", () => {
    const { problems } = compileCondition("pages = 'x' OR NOT sold_out = 1 AND nothing = 2", scope);
    expect(problems).toHaveLength(3);
  });
});

test("a field may have the name of a constant", () => {
  // biome-ignore format: one case a line
  const named = { ...scope,
    columns: new Map([["true", column("boolean")], ["null", column("string")]]),
  };
  const both = compileCondition("true = true AND null IS NOT NULL", named);
  expect(both.problems).toEqual([]);
  // biome-ignore format: one case a line
  expect(both.condition).toEqual({ op: "and",
    conditions: [{ op: "eq", field: "true", value: true }, { op: "is_not_null", field: "null" }],
  });
  expect(compileCondition("true = true", scope).problems[0]?.code).toBe("condition-field");
});
