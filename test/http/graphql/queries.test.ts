import { describe, expect, test } from "vitest";
import {
  dataOf,
  type GraphqlScenario,
  graphqlScenarios,
  sendGraphql,
  type Variables,
} from "../../support/graphql.ts";
import { library, seven } from "../../support/graphql-library.ts";
import { testService } from "../../support/service.ts";
import type { Caller } from "../../support/service-token.ts";

const service = await testService();

const invalid = "400 VALIDATION_ERROR";
const denied = "403 PERMISSION_DENIED";
const uuid = "0a000000-0000-4000-8000-00000000000a";

const refused = (list: string, fails = invalid): GraphqlScenario => ({
  query: `{ things(${list}) { id } }`,
  fails,
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
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    { name: "ten rows by default", given: { notes: Array.from({ length: 12 }, () => ({ body: "x" })) }, query: "{ notes { body } }",
      data: { notes: Array(10).fill({ body: "x" }) } },
    { ...page("", 1, 2, 3, 4, 5), name: "or max_limit, where that is less" },
    page("(limit: 2)", 1, 2),
    page("(limit: 6)", 1, 2, 3, 4, 5),
    page("(limit: 2147483647)", 1, 2, 3, 4, 5),
    page("(offset: 4)", 5, 6, 7),
    page("(limit: 2, offset: 3)", 4, 5),
    page("(offset: 99)"),
    page("(integer: 1, limit: 2, offset: 1)", 4, 6),
    ...["limit: 0", "limit: -1", "limit: 1.5", 'limit: "x"', "limit: true", "limit: [1]", "limit: {}"].map((list) => refused(list)),
    ...["offset: -1", "offset: 1.5", 'offset: ""', "page: 1", "limit: 1, limit: 1"].map((list) => refused(list)),
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
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    ordered('orderBy: "integer"', 3, 1, 4, 2),
    ordered('orderBy: "-integer"', 2, 4, 1, 3),
    ordered("orderBy: integer", 3, 1, 4, 2),
    ordered("orderBy: integer__desc", 2, 4, 1, 3),
    ordered('order_by: "string"', 2, 1, 3, 4),
    ordered('order_by: "-string"', 4, 3, 1, 2),
    ordered('orderBy: "-id"', 4, 3, 2, 1),
    ordered("orderBy: created_at", 3, 2, 1, 4),
    { name: "by a variable, declared as a string", given: numbered, query: "query ($by: String) { things(orderBy: $by, limit: 1) { id } }",
      variables: { by: "-id" }, data: { things: [{ id: 7 }] } },
    { name: "by a variable, declared with the schema's enum", given: numbered,
      query: "query ($by: ThingsOrderBy = string) { things(orderBy: $by, limit: 1) { id } }", variables: { by: "id__desc" },
      data: { things: [{ id: 7 }] } },
    { name: "by that variable's default", given: numbered, query: "query ($by: ThingsOrderBy = string) { things(orderBy: $by, limit: 1) { id } }",
      data: { things: [{ id: 7 }] } },
    ...[
      '"nothing"', '"--id"', '"id desc"', '""', '"-"', "1", "json", "pets", '"id,string"', "id__asc", "{}",
    ].map((value) => refused(`orderBy: ${value}`)),
    refused('orderBy: "password"', `${denied} password`),
    refused('orderBy: "-password"', `${denied} password`),
    refused("orderBy: deleted_at"),
    { name: "deleted_at orders a soft-delete model", given: { notes: [{ id: uuid, body: "x" }] }, query: "{ notes(orderBy: deleted_at) { id } }",
      data: { notes: [{ id: uuid }] } },
    { name: "by a field that the role may not read", query: '{ people(orderBy: "-salary") { name } }', as: "user", fails: `${denied} salary` },
  ]);
});

describe("search", () => {
  const found = (list: string, as: Caller, ...ids: number[]): GraphqlScenario => ({
    given: library,
    as,
    query: `{ books(${list}) { id } }`,
    data: { books: ids.map((id) => ({ id })) },
  });
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    found('search: "ALPHA"', "staff", 1, 6),
    found('search: "alpha"', seven, 1),
    found('search: "alpha", pages: { lt: 200 }', "staff", 1),
    found('search: "a", limit: 2, offset: 1, orderBy: "-id"', "staff", 4, 3),
    { ...found('search: "gem"', "staff", 1), name: "in a gated field, by a role that reads it" },
    { ...found('search: "gem"', seven), name: "but by no other role" },
    found('search: "%"', "staff"),
    found('search: "_"', "staff"),
    { query: '{ books(search: "a") { id } }', fails: denied },
    { name: "no searchable field", query: '{ docs(search: "a") { id } }', as: "admin", fails: denied },
    { name: "search has rules of its own",
      given: { tasks: [
          { id: 1, title: "one", user: 8, status: "done" },
          { id: 2, title: "one more", user: 8 },
          { id: 3, title: "one of mine", user: 7 },
        ],
      },
      as: seven,
      query: '{ tasks { id } found: tasks(search: "one") { id } }',
      data: { tasks: [{ id: 3 }], found: [{ id: 1 }, { id: 3 }] },
    },
    { name: "who may search but not fetch", given: { sales: [{ id: 1, region: "north", user: 7 }] }, as: seven,
      query: '{ sales(search: "nor") { id } }', data: { sales: [{ id: 1 }] } },
    { query: "{ sales { id } }", as: seven, fails: denied },
    { query: "{ things(search: 1) { id } }", fails: invalid },
  ]);
});

describe("selection", () => {
  const one = { things: [{ id: 1, string: "a", date: "2026-01-31", json: { b: [1, null] }, float: 0.1 }] };
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    { name: "each field as over REST", given: one, query: "{ things { id string date json float integer boolean size created_at } }",
      data: { things: [{ ...one.things[0], integer: null, boolean: null, size: null,
            created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) }] } },
    { name: "deleted_at of a live row", given: { notes: [{ id: uuid, body: "x" }] }, query: "{ notes { id deleted_at } }",
      data: { notes: [{ id: uuid, deleted_at: null }] } },
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

  test("fields follow the order of the selection", async () => {
    await service.store(one);
    const { text } = await sendGraphql(service, "{ b: things { string id } a: things { id s: string } }");
    expect(text).toContain('"data":{"b":[{"string":"a","id":1}],"a":[{"id":1,"s":"a"}]}');
  });
});

describe("models and fields of any name", () => {
  test("no order is not the order by a field that is named null", async () => {
    await service.store({
      words: [
        { id: 1, null: "z" },
        { id: 2, null: "a" },
      ],
    });
    const query = "query ($by: String) { words(orderBy: $by) { id } }";
    const ids = async (variables: Variables) => dataOf(service, query, "admin", variables);
    expect(await ids({})).toEqual({ words: [{ id: 1 }, { id: 2 }] });
    expect(await ids({ by: "null" })).toEqual({ words: [{ id: 2 }, { id: 1 }] });
  });

  const words = {
    words: [{ id: 1, query: "q", mutation: 2, on: "o", type: "input", true: true, null: "n" }],
  };
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    { given: words, query: '{ words(on: "o", type: input, true: true, null: "n", eq: null) { on type true null query mutation } }',
      data: { words: [{ on: "o", type: "input", true: true, null: "n", query: "q", mutation: 2 }] } },
    { name: "fragments on words", given: words, query: "{ words { ...query ... on words { on } } } fragment query on words { fragment type }",
      data: { words: [{ fragment: null, type: "input", on: "o" }] } },
    { name: "an argument named limit limits, a field named so is selected", given: { words: [{ limit: 5 }, { limit: 6 }] },
      query: "{ words(limit: 1) { limit orderBy search groupBy where input } }",
      data: { words: [{ limit: 5, orderBy: null, search: null, groupBy: null, where: null, input: null }] } },
    { given: words, query: '{ words(orderBy: "true") { id } }', data: { words: [{ id: 1 }] } },
    { given: words, query: '{ words(orderBy: "-null") { id } }', data: { words: [{ id: 1 }] } },
    { name: "enum values that no enum can hold", given: { words: [{ type: "null" }, { type: "enum" }] }, query: '{ words(type: "null") { type } }',
      data: { words: [{ type: "null" }] } },
    { name: "a model and fields that SQL knows", given: { select: [{ id: 1, order: "by", constructor: "c", class: true, hasOwnProperty: 1 }] },
      as: "admin", query: '{ order(constructor: "c", orderBy: "order") { order constructor class toString hasOwnProperty } }',
      data: { order: [{ order: "by", constructor: "c", class: true, toString: null, hasOwnProperty: 1 }] } },
    { name: "models whose names differ only in case", given: { line_items: [{ id: 1, name: "a" }], other_items: [{ id: 2, label: "b" }] },
      query: "{ line_items { id name } LineItems { id label } }", data: { line_items: [{ id: 1, name: "a" }], LineItems: [{ id: 2, label: "b" }] } },
    { name: "the key names a root field, not the slug", query: "{ strict_things { id } }", fails: "404 NOT_FOUND" },
    { name: "nor the table", query: "{ strict_rows { id } }", fails: "404 NOT_FOUND" },
  ]);
});
