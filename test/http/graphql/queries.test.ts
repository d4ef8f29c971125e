import { describe, expect, test } from "vitest";
import { type GraphqlScenario, graphqlScenarios, sendGraphql } from "../../support/graphql.ts";
import { library, seven } from "../../support/graphql-library.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import type { Caller } from "../../support/service-token.ts";

const service = await testService();

const invalid = "400 VALIDATION_ERROR";
const denied = "403 PERMISSION_DENIED";
const owner = "0a000000-0000-4000-8000-00000000000a";
const uuids = ["1a000000-0000-4000-8000-000000000001", "2b000000-0000-4000-8000-000000000002"] as const;

/** Row 1 holds the lower value of each field, row 2 the higher one, row 3 nothing. */
const given = {
  owners: [
    { id: owner, user_id: 1 },
    { id: uuids[0], user_id: 2 },
  ],
  things: [
    {
      id: 1,
      string: "apple pie",
      text: "c:\\first",
      integer: -5,
      float: 0.5,
      boolean: false,
      datetime: "2026-01-01T10:00:00Z",
      date: "2026-01-31",
      email: "a@example.org",
      json: { a: 1 },
      uuid: uuids[0],
      password: "x",
      size: "large",
      grade: 1,
      owner_id: owner,
      created_at: "2026-01-01T00:00:00Z",
    },
    {
      id: 2,
      string: "banana",
      text: "second",
      integer: 2147483647,
      float: 1e300,
      boolean: true,
      datetime: "2026-01-02T10:00:00.5Z",
      date: "2026-02-28",
      email: "b@example.com",
      json: [],
      uuid: uuids[1],
      password: "y",
      size: "small",
      grade: 2,
      owner_id: uuids[0],
      twin_id: 1,
      created_at: "2026-01-02T00:00:00Z",
    },
    { id: 3, created_at: "2025-01-01T00:00:00Z" },
  ],
};

const equality = ["", "eq", "neq", "in", "nin"];
const comparison = [...equality, "gt", "gte", "lt", "lte"];
const pattern = [...comparison, "like", "ilike"];
const all = [...pattern, "is_null"];

/** Each field: its lower and higher value as literals, and the operators that fit (decisions, parts 5 and 6). */
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
    finding('string: """apple pie"""', 1),
    { ...finding("deleted_at: null, integer: -5", 1), name: "a filter by deleted_at is stripped" },
    finding('deleted_at: { gt: "nonsense" }, integer: -5', 1),
    {
      name: "deleted rows are not there, whatever deleted_at is asked for",
      given: { notes: [{ id: owner, body: "gone", deleted_at: "2026-01-01T00:00:00Z" }] },
      query: "{ notes(deleted_at: { is_null: false }) { id } }",
      data: { notes: [] },
    },
  ]);
});

describe("filters that do not fit", () => {
  graphqlScenarios(service, [
    refused('integer: "10abc"'),
    refused("integer: 1.5"),
    refused("integer: true"),
    refused("integer: large"),
    refused("integer: [1]"),
    refused("integer: 2147483648"),
    refused("integer: { gt: 123456789012345678901234567890 }"),
    refused("integer: { gt: null }"),
    refused("integer: { in: [null] }"),
    refused("integer: { in: [[1]] }"),
    refused("integer: { gt: { gt: 1 } }"),
    refused("integer: { between: [1, 2] }"),
    refused("integer: { ne: 1 }"),
    refused("integer: { not_in: [1] }"),
    refused("integer: { is_not_null: true }"),
    refused("integer: { is_null: 1 }"),
    refused('integer: { is_null: "true" }'),
    refused("integer: { gt: 1, gt: 2 }"),
    refused("integer: 1, integer: 2"),
    refused("integer__gt: 1"),
    refused("float: 1e400"),
    refused("boolean: 1"),
    refused("string: 1"),
    refused("string: { like: 1 }"),
    refused("size: medium"),
    refused("size: { in: [small, medium] }"),
    refused("grade: 3"),
    refused('uuid: "x"'),
    refused('date: "2026-02-30"'),
    refused('date: "2026-01-01T00:00:00Z"'),
    refused('datetime: "now"'),
    refused("datetime: 20260101"),
    refused('id: "x"'),
    refused("id: 9223372036854775808"),
    refused("json: { eq: { a: 1 } }"),
    refused('json: "x"'),
    refused("nothing: 1"),
    refused("where: { integer: 1 }"),
    refused("constructor: 1"),
    refused("__proto__: 1"),
    refused('string: "a\\u0000b"'),
    refused('password: "x"', `${denied} password`),
    refused("password: { is_null: true }", `${denied} password`),
    refused("password: { nonsense: 1 }, integer: []", `${denied} password`),
    { given: {}, query: "{ owners(pets: 1) { id } }", as: "admin", fails: invalid },
    {
      name: "a password is 403 for every role",
      query: "{ things(password: null) { id } }",
      as: "admin",
      fails: denied,
    },
  ]);
});

const numbered = {
  things: Array.from({ length: 7 }, (_, at) => ({ id: at + 1, integer: at % 2, string: `s${9 - at}` })),
};
const page = (list: string, ...ids: number[]): GraphqlScenario => ({
  given: numbered,
  query: `{ things${list} { id } }`,
  data: { things: ids.map((id) => ({ id })) },
});

describe("limit and offset", () => {
  graphqlScenarios(service, [
    {
      name: "ten rows by default",
      given: { notes: Array.from({ length: 12 }, () => ({ body: "x" })) },
      query: "{ notes { body } }",
      data: { notes: Array(10).fill({ body: "x" }) },
    },
    { ...page("", 1, 2, 3, 4, 5), name: "or max_limit, where that is less" },
    page("(limit: 2)", 1, 2),
    page("(limit: 6)", 1, 2, 3, 4, 5),
    page("(limit: 2147483647)", 1, 2, 3, 4, 5),
    page("(offset: 4)", 5, 6, 7),
    page("(limit: 2, offset: 3)", 4, 5),
    page("(offset: 99)"),
    page("(integer: 1, limit: 2, offset: 1)", 4, 6),
    ...["limit: 0", "limit: -1", "limit: 1.5", 'limit: "x"', "limit: true", "limit: [1]", "limit: {}"].map(
      (list) => refused(list),
    ),
    ...["offset: -1", "offset: 1.5", 'offset: ""', "page: 1", "limit: 1, limit: 1"].map((list) =>
      refused(list),
    ),
  ]);
});

describe("order", () => {
  const ordered = (order: string, ...ids: number[]): GraphqlScenario => ({
    given: {
      things: [
        { id: 1, integer: 2, string: "b", created_at: "2026-01-03T00:00:00Z" },
        { id: 2, integer: null, string: "a", created_at: "2026-01-02T00:00:00Z" },
        { id: 3, integer: 1, string: "b", created_at: "2026-01-01T00:00:00Z" },
        { id: 4, integer: 2, string: null, created_at: "2026-01-04T00:00:00Z" },
      ],
    },
    query: `{ things(${order}) { id } }`,
    data: { things: ids.map((id) => ({ id })) },
  });
  graphqlScenarios(service, [
    ordered('orderBy: "integer"', 3, 1, 4, 2),
    ordered('orderBy: "-integer"', 2, 4, 1, 3),
    ordered("orderBy: integer", 3, 1, 4, 2),
    ordered("orderBy: integer__desc", 2, 4, 1, 3),
    ordered('order_by: "string"', 2, 1, 3, 4),
    ordered('order_by: "-string"', 4, 3, 1, 2),
    ordered('orderBy: "-id"', 4, 3, 2, 1),
    ordered("orderBy: created_at", 3, 2, 1, 4),
    {
      name: "by a variable, declared as a string",
      given: numbered,
      query: "query ($by: String) { things(orderBy: $by, limit: 1) { id } }",
      variables: { by: "-id" },
      data: { things: [{ id: 7 }] },
    },
    {
      name: "by a variable, declared with the schema's enum",
      given: numbered,
      query: "query ($by: ThingsOrderBy = string) { things(orderBy: $by, limit: 1) { id } }",
      variables: { by: "id__desc" },
      data: { things: [{ id: 7 }] },
    },
    {
      name: "by that variable's default",
      given: numbered,
      query: "query ($by: ThingsOrderBy = string) { things(orderBy: $by, limit: 1) { id } }",
      data: { things: [{ id: 7 }] },
    },
    ...[
      '"nothing"',
      '"--id"',
      '"id desc"',
      '""',
      '"-"',
      "1",
      "json",
      "pets",
      '"id,string"',
      "id__asc",
      "{}",
    ].map((value) => refused(`orderBy: ${value}`)),
    refused('orderBy: "password"', `${denied} password`),
    refused('orderBy: "-password"', `${denied} password`),
    refused("orderBy: deleted_at"),
    {
      name: "deleted_at orders a soft-delete model",
      given: { notes: [{ id: owner, body: "x" }] },
      query: "{ notes(orderBy: deleted_at) { id } }",
      data: { notes: [{ id: owner }] },
    },
    {
      name: "by a field that the role may not read",
      query: '{ people(orderBy: "-salary") { name } }',
      as: "user",
      fails: `${denied} salary`,
    },
  ]);
});

describe("search", () => {
  const found = (list: string, as: Caller, ...ids: number[]): GraphqlScenario => ({
    given: library,
    as,
    query: `{ books(${list}) { id } }`,
    data: { books: ids.map((id) => ({ id })) },
  });
  graphqlScenarios(service, [
    found('search: "ALPHA"', "staff", 1, 6),
    found('search: "alpha"', seven, 1),
    found('search: "alpha", pages: { lt: 200 }', "staff", 1),
    found('search: "a", limit: 2, offset: 1, orderBy: "-id"', "staff", 4, 3),
    { ...found('search: "gem"', "staff", 1), name: "in a gated field, by whoever reads it" },
    { ...found('search: "gem"', seven), name: "but by nobody else" },
    found('search: "%"', "staff"),
    found('search: "_"', "staff"),
    { query: '{ books(search: "a") { id } }', fails: denied },
    { name: "no searchable field", query: '{ docs(search: "a") { id } }', as: "admin", fails: denied },
    {
      name: "search has rules of its own",
      given: {
        tasks: [
          { id: 1, title: "one", user: 8, status: "done" },
          { id: 2, title: "one more", user: 8 },
          { id: 3, title: "one of mine", user: 7 },
        ],
      },
      as: seven,
      query: '{ tasks { id } found: tasks(search: "one") { id } }',
      data: { tasks: [{ id: 3 }], found: [{ id: 1 }, { id: 3 }] },
    },
    {
      name: "who may search but not fetch",
      given: { sales: [{ id: 1, region: "north", user: 7 }] },
      as: seven,
      query: '{ sales(search: "nor") { id } }',
      data: { sales: [{ id: 1 }] },
    },
    { query: "{ sales { id } }", as: seven, fails: denied },
    { query: "{ things(search: 1) { id } }", fails: invalid },
  ]);
});

describe("selection", () => {
  const one = { things: [{ id: 1, string: "a", date: "2026-01-31", json: { b: [1, null] }, float: 0.1 }] };
  graphqlScenarios(service, [
    {
      name: "each field as over REST",
      given: one,
      query: "{ things { id string date json float integer boolean size created_at } }",
      data: {
        things: [
          {
            ...one.things[0],
            integer: null,
            boolean: null,
            size: null,
            created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          },
        ],
      },
    },
    {
      name: "deleted_at of a live row",
      given: { notes: [{ id: owner, body: "x" }] },
      query: "{ notes { id deleted_at } }",
      data: { notes: [{ id: owner, deleted_at: null }] },
    },
    { query: "{ things { password } }", as: "admin", fails: `${denied} password` },
    { query: "{ people { salary } }", as: "user", fails: `${denied} salary` },
    { query: "{ people { alias: salary } }", as: "user", fails: `${denied} salary` },
    { query: "{ people { sealed } }", as: "admin", fails: `${denied} sealed` },
    { name: "403 before 400", query: "{ people(limit: 0) { salary nothing } }", as: "user", fails: denied },
    { query: "{ things { nothing } }", fails: invalid },
    { query: "{ things { deleted_at } }", fails: invalid },
    { query: "{ things { string { length } } }", fails: invalid },
    { query: "{ things { string(upper: true) } }", fails: invalid },
    { query: "{ things }", fails: invalid },
    { query: "{ owners { pets } }", as: "admin", fails: invalid },
    { query: "{ things { owner } }", as: "admin", fails: invalid },
    { query: "{ people { name } }", as: "stranger", fails: `${denied} name` },
    { query: "{ tasks { id } }", fails: denied },
    { query: "{ tasks { id } }", as: "Admin", fails: denied },
  ]);

  test("fields stand in the order in which they are asked for", async () => {
    await service.store(one);
    const { text } = await sendGraphql(service, "{ b: things { string id } a: things { id s: string } }");
    expect(text).toContain('"data":{"b":[{"string":"a","id":1}],"a":[{"id":1,"s":"a"}]}');
  });
});

describe("models and fields of any name", () => {
  const words = {
    words: [{ id: 1, query: "q", mutation: 2, on: "o", type: "input", true: true, null: "n" }],
  };
  graphqlScenarios(service, [
    {
      given: words,
      query:
        '{ words(on: "o", type: input, true: true, null: "n", eq: null) { on type true null query mutation } }',
      data: { words: [{ on: "o", type: "input", true: true, null: "n", query: "q", mutation: 2 }] },
    },
    {
      name: "fragments on words",
      given: words,
      query: "{ words { ...query ... on words { on } } } fragment query on words { fragment type }",
      data: { words: [{ fragment: null, type: "input", on: "o" }] },
    },
    {
      name: "an argument named limit limits, a field named so is selected",
      given: { words: [{ limit: 5 }, { limit: 6 }] },
      query: "{ words(limit: 1) { limit orderBy search groupBy where input } }",
      data: { words: [{ limit: 5, orderBy: null, search: null, groupBy: null, where: null, input: null }] },
    },
    { given: words, query: '{ words(orderBy: "true") { id } }', data: { words: [{ id: 1 }] } },
    { given: words, query: '{ words(orderBy: "-null") { id } }', data: { words: [{ id: 1 }] } },
    {
      name: "enum values that no enum can hold",
      given: { words: [{ type: "null" }, { type: "enum" }] },
      query: '{ words(type: "null") { type } }',
      data: { words: [{ type: "null" }] },
    },
    {
      name: "a model and fields that SQL knows",
      given: { select: [{ id: 1, order: "by", constructor: "c", class: true, hasOwnProperty: 1 }] },
      as: "admin",
      query:
        '{ order(constructor: "c", orderBy: "order") { order constructor class toString hasOwnProperty } }',
      data: { order: [{ order: "by", constructor: "c", class: true, toString: null, hasOwnProperty: 1 }] },
    },
    {
      name: "models whose names differ in case alone",
      given: { line_items: [{ id: 1, name: "a" }], other_items: [{ id: 2, label: "b" }] },
      query: "{ line_items { id name } LineItems { id label } }",
      data: { line_items: [{ id: 1, name: "a" }], LineItems: [{ id: 2, label: "b" }] },
    },
    {
      name: "the key names a root field, not the slug",
      query: "{ strict_things { id } }",
      fails: "404 NOT_FOUND",
    },
    { name: "nor the table", query: "{ strict_rows { id } }", fails: "404 NOT_FOUND" },
  ]);
});
