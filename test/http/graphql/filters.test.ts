import { describe, expect, test } from "vitest";
import { type GraphqlScenario, graphqlScenarios, sendGraphql } from "../../support/graphql.ts";
import { thingRows as given, owner, uuids } from "../../support/sample-rows.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";

const service = await testService();

const invalid = "400 VALIDATION_ERROR";
const denied = "403 PERMISSION_DENIED";

const equality = ["", "eq", "neq", "in", "nin"];
const comparison = [...equality, "gt", "gte", "lt", "lte"];
const pattern = [...comparison, "like", "ilike"];
const all = [...pattern, "is_null"];

/** Each field: its lower and higher value as literals, and the operators that fit. */
const fields: readonly (readonly [name: string, lower: string, higher: string, fits: readonly string[]])[] = [
  ["string", '"apple pie"', '"banana"', pattern],
  ["text", '"c:\\\\first"', '"second"', pattern],
  ["email", '"a@example.org"', '"b@example.com"', pattern],
  ["integer", "-5", "2147483647", comparison],
  ["float", "0.5", "1e300", comparison],
  ["datetime", '"2026-01-01T10:00:00Z"', '"2026-01-02T11:00:00.5+01:00"', comparison],
  ["date", '"2026-01-31"', '"2026-02-28"', comparison],
  ["created_at", '"2026-01-01"', '"2026-01-02T00:00"', comparison],
  ["id", "1", "2", comparison],
  ["boolean", "false", "true", equality],
  ["uuid", `"${uuids[0]}"`, `"${uuids[1].toUpperCase()}"`, equality],
  ["owner_id", `"${owner}"`, `"${uuids[0]}"`, equality],
  ["size", "large", '"small"', equality],
  ["grade", "1", "2", equality],
];

/** The argument of each operator and the ids that it finds, by the lower value `a` and the higher one `b`. */
const finds: Readonly<Record<string, (a: string, b: string) => readonly [value: string, ids: number[]]>> = {
  "": (a) => [a, [1]],
  eq: (_, b) => [`{ eq: ${b} }`, [2]],
  neq: (a) => [`{ neq: ${a} }`, [2]],
  gt: (a) => [`{ gt: ${a} }`, [2]],
  gte: (a) => [`{ gte: ${a} }`, [1, 2]],
  lt: (_, b) => [`{ lt: ${b} }`, [1]],
  lte: (_, b) => [`{ lte: ${b} }`, [1, 2]],
  in: (a, b) => [`{ in: [${b}, ${a}] }`, [1, 2]],
  nin: (a) => [`{ nin: [${a}] }`, [2]],
  like: (a) => [`{ like: "${a.slice(2, -2)}" }`, [1]],
  ilike: (_, b) => [`{ ilike: "${b.slice(2, -2).toUpperCase()}" }`, [2]],
  is_null: () => ["{ is_null: true }", [3]],
};

describe("every operator on every type of field", () => {
  test.each(fields)("%s", async (field, lower, higher, fits) => {
    await service.store(given);
    for (const operator of all) {
      const [value, found] = finds[operator]?.(lower, higher) ?? ["", []];
      const query = `{ things(${field}: ${value}) { id } }`;
      const reply = await sendGraphql(service, query);
      if (!fits.includes(operator) && operator !== "is_null") {
        expect(outcome(reply), query).toMatch(invalid);
        continue;
      }
      const ids = ["id", "created_at"].includes(field) ? alwaysFinds(field, operator, found) : found;
      expect(reply.envelope.data, query).toEqual({ things: ids.map((id) => ({ id })) });
    }
  });
});

/** Row 3 has an id above the others and time stamps before them. */
function alwaysFinds(field: string, operator: string, found: number[]): number[] {
  if (operator === "is_null") return [];
  const above = ["neq", "nin", "gt", "gte"];
  const below = ["neq", "nin", "lt", "lte"];
  return (field === "id" ? above : below).includes(operator) ? [...found, 3] : found;
}

const finding = (filter: string, ...ids: number[]): GraphqlScenario => ({
  given,
  query: `{ things(${filter}) { id } }`,
  data: { things: ids.map((id) => ({ id })) },
});
const refused = (filter: string, fails = invalid): GraphqlScenario => ({
  given,
  query: `{ things(${filter}) { id } }`,
  fails,
});

describe("filters", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    finding("integer: null", 3),
    finding("integer: { eq: null }", 3),
    finding("integer: { is_null: false }", 1, 2),
    finding("json: null", 3),
    finding("json: { is_null: true }", 3),
    finding("json: { is_null: false }", 1, 2),
    finding("id: { is_null: false }", 1, 2, 3),
    finding("integer: { in: [] }"),
    finding("integer: { nin: [] }", 1, 2, 3),
    finding("integer: { gt: -6, lt: 0 }", 1),
    finding("integer: { gt: 0, lt: -6 }"),
    finding("integer: -5, float: { lt: 1 }, boolean: false", 1),
    finding('string: { like: "apple%" }', 1),
    finding('string: { like: "pp" }', 1),
    finding('string: { like: "%PIE" }'),
    finding('string: { ilike: "%PIE" }', 1),
    finding('string: { like: "_ppl_" }', 1),
    finding('text: { like: "\\\\" }', 1),
    finding("float: 1"),
    finding("float: { gte: 1 }", 2),
    finding("size: { in: [small, large] }", 1, 2),
    finding('size: { in: ["small"] }', 2),
    finding("twin_id: 1", 2),
    finding('datetime: { lt: "2026-01-02" }', 1),
    finding('created_at: { gte: "2026-01-01T01:00:00+01:00" }', 1, 2),
    finding('datetime: { lt: "2026-01-02T10:00:00.5004Z" }', 1, 2),
    finding('datetime: { gte: "2026-01-02T11:00:00.5000000001+01:00" }'),
    finding('datetime: { in: ["2026-01-02T10:00:00.5004Z", "2026-01-01T10:00:00.000000000Z"] }', 1),
    { given, query: "query ($at: DateTime) { things(datetime: { lt: $at }) { id } }", variables: { at: "2026-01-02T10:00:00.5004Z" },
      data: { things: [{ id: 1 }, { id: 2 }] } },
    finding('string: """apple pie"""', 1),
    { ...finding("deleted_at: null, integer: -5", 1), name: "a filter by deleted_at is stripped" },
    finding('deleted_at: { gt: "nonsense" }, integer: -5', 1),
    { name: "no deleted_at filter finds deleted rows",
      given: { notes: [{ id: owner, body: "gone", deleted_at: "2026-01-01T00:00:00Z" }] },
      query: "{ notes(deleted_at: { is_null: false }) { id } }", data: { notes: [] } },
  ]);
});

describe("texts to look for have at most 256 characters", () => {
  const long = "b".repeat(257);
  const bound = (query: string, value: string, fails: string): GraphqlScenario => ({
    name: `${query} of ${value.length} characters`,
    given,
    as: "admin",
    query,
    variables: { v: value },
    fails: `${invalid} ${fails}`,
  });
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    finding(`string: { like: "${long.slice(1)}" }`),
    finding(`search: "${"😀".repeat(256)}"`),
    refused(`string: { like: "${long}" }`, `${invalid} string`),
    refused(`text: { gt: "a", ilike: "%${long}" }`, `${invalid} text`),
    refused(`search: "${long}"`, `${invalid} search`),
    bound("query ($v: String) { things(search: $v) { id } }", "b".repeat(90_000), "search"),
    bound("query ($v: String) { things_aggregate(search: $v) { count } }", long, "search"),
    bound("query ($v: String) { things_aggregate(string: { ilike: $v }) { count } }", long, "string"),
    bound("query ($v: String) { owners { pets(name: { like: $v }) { id } } }", long, "name"),
    bound("mutation ($v: String) { deleteThings(where: { id: 1, string: { like: $v } }) { id } }", long, "string"),
  ]);
});

describe("filters that do not fit", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    refused('integer: "10abc"'), refused("integer: 1.5"), refused("integer: true"), refused("integer: large"), refused("integer: [1]"),
    refused("integer: 2147483648"), refused("integer: { gt: 123456789012345678901234567890 }"), refused("integer: { gt: null }"),
    refused("integer: { in: [null] }"), refused("integer: { in: [[1]] }"), refused("integer: { gt: { gt: 1 } }"),
    refused("integer: { between: [1, 2] }"), refused("integer: { ne: 1 }"), refused("integer: { not_in: [1] }"),
    refused("integer: { is_not_null: true }"), refused("integer: { is_null: 1 }"), refused('integer: { is_null: "true" }'),
    refused("integer: { gt: 1, gt: 2 }"), refused("integer: 1, integer: 2"), refused("integer__gt: 1"), refused("float: 1e400"),
    refused("boolean: 1"), refused("string: 1"), refused("string: { like: 1 }"), refused("size: medium"),
    refused("size: { in: [small, medium] }"), refused("grade: 3"), refused('uuid: "x"'), refused('date: "2026-02-30"'),
    refused('date: "2026-01-01T00:00:00Z"'), refused('datetime: "now"'), refused("datetime: 20260101"), refused('id: "x"'),
    refused("id: 9223372036854775808"), refused("json: { eq: { a: 1 } }"), refused('json: "x"'), refused("nothing: 1"),
    refused("where: { integer: 1 }"), refused("constructor: 1"), refused("__proto__: 1"), refused('string: "a\\u0000b"'),
    refused('password: "x"', `${denied} password`),
    refused("password: { is_null: true }", `${denied} password`),
    refused("password: { nonsense: 1 }, integer: []", `${denied} password`),
    { given: {}, query: "{ owners(pets: 1) { id } }", as: "admin", fails: invalid },
    { name: "a password is 403 for every role", query: "{ things(password: null) { id } }", as: "admin", fails: denied },
  ]);
});
