import { describe, expect, it } from "vitest";
import {
  type GraphqlScenario,
  graphqlScenarios,
  sendGraphql,
  type Variables,
} from "../../support/graphql.ts";
import { library, seven } from "../../support/graphql-library.ts";
import { countedService } from "../../support/watched-database.ts";

const service = await countedService();
const { sent } = service;

const invalid = "400 VALIDATION_ERROR";
const sales = [
  { id: 1, amount: 10, region: "north", cost: 1, user: 7 },
  { id: 2, amount: 20, region: "north west", cost: 2, user: 7 },
  { id: 3, amount: 5, region: "south", cost: 5, user: 8 },
];
const given = { sales };

const asked = (request: string, ...data: object[]): GraphqlScenario => ({
  given,
  as: "admin",
  query: `{ sales_aggregate${request} }`,
  data: { sales_aggregate: data },
});
const refused = (request: string, fails = invalid): GraphqlScenario => ({
  given,
  as: "admin",
  query: `{ sales_aggregate${request} }`,
  fails,
});
/** The same with `query (…)` before it. */
const declared = (
  declaration: string,
  request: string,
  variables: Variables,
  outcome: Pick<GraphqlScenario, "data" | "fails">,
): GraphqlScenario => ({
  given,
  as: "admin",
  query: `query (${declaration}) { sales_aggregate${request} }`,
  variables,
  ...outcome,
});
const answered = (...data: object[]) => ({ data: { sales_aggregate: data } });

describe("search", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    asked('(search: "NORTH") { count sum { amount } }', { count: 2, sum_amount: 30 }),
    asked('(search: "north", amount: { gt: 10 }) { count }', { count: 1 }),
    asked('(search: "o", groupBy: user) { count }', { user: 7, count: 2 }, { user: 8, count: 1 }),
    { ...asked('(search: "%") { count }', { count: 0 }), name: "a percent sign is itself" },
    asked("(search: null) { count }", { count: 3 }),
    refused('(search: "") { count }'),
    refused("(search: 1) { count }"),
    { query: '{ line_items_aggregate(search: "x") { count } }', as: "admin", fails: "403 PERMISSION_DENIED" },
    { query: "{ line_items_aggregate { count } }", as: "admin", data: { line_items_aggregate: [{ count: 0 }] } },
  ]);
});

describe("keys of the answer", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    { ...asked("{ n: count s: sum { a: amount } t: sum_amount }", { count: 3, sum_amount: 35 }),
      name: "aliases rename nothing below the root field" },
    { ...asked("{ sum { __typename amount } }", { sum_amount: 35 }),
      name: "__typename of a function, which some clients ask for everywhere, has no place" },
    { ...asked("{ sum { ...f } } } fragment f on sales_aggregate_sum { amount", { sum_amount: 35 }), name: "fragments on the type of a function" },
    { ...asked("{ max { ...f } } } fragment f on sales_aggregate_bounds { amount", { max_amount: 20 }),
      name: "fragments on the type that max shares with min" },
    refused("{ max { ... on sales_aggregate_max { amount } } }"),
    refused("{ sum { ... on sales_aggregate_bounds { amount } } }"),
    refused("(groupBy: region__desc) { count }", `${invalid} groupBy`),
    asked("(groupBy: user, limit: 1) { __typename user }", { __typename: "sales_aggregate", user: 7 }),
    asked("{ count @skip(if: true) sum { amount @include(if: false) } }", {}),
    asked("(groupBy: user) { count @skip(if: true) }", { user: 7 }, { user: 8 }),
    refused("{ ... on sales { count } }"), refused("{ sum { ... on sales_aggregate { amount } } }"), refused("{ sum_ }"),
    refused("{ _amount }"), refused("{ sum__amount }"), refused("{ constructor { amount } }"), refused("{ toString }"),
  ]);
});

describe("groupBy and orderBy", () => {
  const regions = ["north", "north west", "south"].map((region) => ({ region, count: 1 }));
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    { ...asked("(groupBy: region) { count }", ...regions), name: "default order: by the group-by fields" },
    { ...asked(
        "(groupBy: [user, region], orderBy: count__desc) { user region }",
        ...[
          { user: 8, region: "south" },
          { user: 7, region: "north west" },
          { user: 7, region: "north" },
        ],
      ),
      name: "ties go by the group-by fields, in the same direction",
    },
    asked("(groupBy: [region, region]) { count }", ...regions),
    asked("(groupBy: null, orderBy: null, limit: null) { count }", { count: 3 }),
    asked('(groupBy: user, orderBy: "-max_cost") { count }', { user: 8, count: 1 }, { user: 7, count: 2 }),
    asked("(orderBy: count) { count }", { count: 3 }),
    asked("(orderBy: sum_amount__desc, offset: 1) { count }"),
    declared("$g: String, $o: String", "(groupBy: $g, orderBy: $o) { count }", { g: "user", o: "-user" },
      answered({ user: 8, count: 1 }, { user: 7, count: 2 })),
    declared("$g: [SalesOrderBy!], $o: SalesAggregateOrderBy", "(groupBy: $g, orderBy: $o) { count }", { g: "user", o: "count" },
      answered({ user: 8, count: 1 }, { user: 7, count: 2 })),
    { ...declared("$g: String, $o: String", "(groupBy: $g, orderBy: $o) { count }", {}, answered({ count: 3 })),
      name: "variables that were not given are no arguments" },
    declared("$g: Int", "(groupBy: $g) { count }", { g: 1 }, { fails: `${invalid} g` }),
    declared("$o: SalesOrderBy", "(orderBy: $o) { count }", { o: "count" }, { fails: `${invalid} o` }),
    declared("$g: [String!]", "(groupBy: $g) { user }", { g: ["region"] }, { fails: `${invalid} user` }),
    refused("(groupBy: []) { count }", `${invalid} groupBy`),
    refused("(groupBy: [user, null]) { count }", `${invalid} groupBy`),
    refused("(groupBy: { user: 1 }) { count }", `${invalid} groupBy`),
    refused('(groupBy: "user,region") { count }', `${invalid} groupBy`),
    refused("(groupBy: user, group_by: region) { count }", `${invalid} group_by`),
    refused("(orderBy: count, order_by: count) { count }", `${invalid} order_by`),
    refused("(orderBy: 1) { count }", `${invalid} orderBy`),
    refused("(orderBy: [count]) { count }", `${invalid} orderBy`),
    refused("(orderBy: amount) { count }", `${invalid} orderBy`),
    refused("(orderBy: __typename) { count }", `${invalid} orderBy`),
    refused("(groupBy: user, orderBy: code) { count }", "403 PERMISSION_DENIED code"),
  ]);
});

describe("cost", () => {
  it.each([
    "{ sales_aggregate { count } }",
    '{ sales_aggregate(groupBy: [region, user], search: "o", orderBy: "-sum_amount") { count sum { amount } avg { cost } } }',
    "{ books_aggregate(groupBy: genre) { count max { published } } }",
  ])("one statement and no transaction: %s", async (query) => {
    await service.store({ ...library, sales });
    sent.statements = [];
    sent.transactions = 0;
    expect((await sendGraphql(service, query, "admin")).status).toBe(200);
    expect([sent.statements.length, sent.transactions]).toEqual([1, 0]);
  });

  it("values are bound: another one is the same statement", async () => {
    const query =
      "query ($u: Int, $n: Int) { sales_aggregate(user: $u, groupBy: region, limit: 5, offset: $n) { count } }";
    sent.statements = [];
    await sendGraphql(service, query, seven, { u: 7, n: 1 });
    await sendGraphql(service, query, seven, { u: 8, n: 2 });
    expect(sent.statements).toHaveLength(2);
    expect(new Set(sent.statements).size).toBe(1);
  });
});
