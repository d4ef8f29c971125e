import { describe, expect } from "vitest";
import { type GraphqlScenario, graphqlScenarios } from "../../support/graphql.ts";
import { library, seven } from "../../support/graphql-library.ts";
import { testService } from "../../support/service.ts";
import type { Caller } from "../../support/service-token.ts";

const service = await testService();

const invalid = "400 VALIDATION_ERROR";
const denied = "403 PERMISSION_DENIED";

const folders = [
  { id: 1, name: "a" },
  { id: 2, name: "b" },
];
// biome-ignore format: one case a line
const sales = [
  { id: 1, amount: 10, price: 1.5, day: "2026-01-01", moment: "2026-01-01T10:00:00Z", region: "north", channel: "shop", rank: 1, paid: true,
    cost: 1, user: 7, folder_id: 1, created_at: "2026-01-01T00:00:00Z" },
  { id: 2, amount: 20, price: 2.25, day: "2026-03-01", moment: "2026-01-02T10:00:00.5Z", region: "north", channel: "web", rank: 2, paid: false,
    cost: 2, user: 7, folder_id: 1, created_at: "2026-01-02T00:00:00Z" },
  { id: 3, region: "south", channel: "shop", user: 8, folder_id: 2, created_at: "2026-01-03T00:00:00Z" },
  { id: 4, amount: 5, cost: 5, user: 8, created_at: "2026-01-03T00:00:00Z" },
  { id: 5, amount: 2147483647, region: "south", channel: "web", user: 9, created_at: "2026-01-03T00:00:00Z" },
  { id: 6, amount: 2147483647, region: "south", user: 9, created_at: "2026-01-03T00:00:00Z" },
  { id: 7, amount: 1000, region: "gone", user: 7, deleted_at: "2026-01-01T00:00:00Z" },
];
const given = { folders, sales };

/** What `as` gets of the aggregate over sales: `(arguments) { selection }`. */
const asked = (request: string, as: Caller, ...data: object[]): GraphqlScenario => ({
  given,
  as,
  query: `{ sales_aggregate${request} }`,
  data: { sales_aggregate: data },
});
const refused = (request: string, fails = invalid, as: Caller = "admin"): GraphqlScenario => ({
  given,
  as,
  query: `{ sales_aggregate${request} }`,
  fails,
});

describe("without groups", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    { ...asked(" { count }", "admin", { count: 6 }), name: "one element; deleted rows do not count" },
    asked(" { sum { amount price } }", "staff", { sum_amount: 4294967329, sum_price: 3.75 }),
    asked("(id: { lte: 4 }) { avg { amount price } }", "staff", { avg_amount: 35 / 3, avg_price: 1.875 }),
    asked(" { min { amount price id } max { amount price id } }", "staff",
      { min_amount: 5, min_price: 1.5, min_id: 1, max_amount: 2147483647, max_price: 2.25, max_id: 6 }),
    { ...asked(" { min { day moment region created_at } max { day moment region } }", "staff", { min_day: "2026-01-01",
        min_moment: "2026-01-01T10:00:00.000Z",
        min_region: "north",
        min_created_at: "2026-01-01T00:00:00.000Z",
        max_day: "2026-03-01",
        max_moment: "2026-01-02T10:00:00.500Z",
        max_region: "south",
      }),
      name: "min and max of dates, time stamps and strings, as rows hold them",
    },
    asked(" { count sum { cost } max { rank } }", "admin", { count: 6, sum_cost: 8, max_rank: 2 }),
    asked(" { sum_amount max_day }", "staff", { sum_amount: 4294967329, max_day: "2026-03-01" }),
    asked(" { __typename count }", "staff", { __typename: "sales_aggregate", count: 6 }),
    { ...asked("(id: 99) { count sum { amount } avg { amount } min { day } max { region } }", "admin", { count: 0,
        sum_amount: null,
        avg_amount: null,
        min_day: null,
        max_region: null,
      }),
      name: "of no rows: null, and a count of 0",
    },
    { ...asked("(id: 3) { count sum { amount } }", "admin", { count: 1, sum_amount: null }), name: "of only nulls" },
    { name: "an alias renames the root field", given, as: "admin", query: "{ a: sales_aggregate { count } b: sales_aggregate(user: 7) { count } }",
      data: { a: [{ count: 6 }], b: [{ count: 2 }] } },
    asked(" { sum { amount } sum { price } }", "admin", { sum_amount: 4294967329, sum_price: 3.75 }),
    asked(" { ...f } } fragment f on sales_aggregate { count ...on sales_aggregate { sum { price } }", "admin", { count: 6, sum_price: 3.75 }),
    { name: "next to lists", given, as: "admin", query: "{ sales(limit: 1) { id } sales_aggregate { count } folders_aggregate { count } }",
      data: { sales: [{ id: 1 }], sales_aggregate: [{ count: 6 }], folders_aggregate: [{ count: 2 }] } },
  ]);
});

describe("filters", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    asked('(region: "south") { count }', "admin", { count: 3 }),
    asked("(amount: { gt: 5, lt: 100 }, paid: false) { count sum { amount } }", "admin", { count: 1, sum_amount: 20 }),
    asked("(region: null) { count }", "admin", { count: 1 }),
    asked("(channel: { in: [web, shop] }) { count }", "admin", { count: 4 }),
    asked("(deleted_at: { is_null: false }) { count }", "admin", { count: 6 }),
    { name: "by variables", given, as: "admin", query: "query ($u: Int, $a: IntFilter) { sales_aggregate(user: $u, amount: $a) { count } }",
      variables: { u: 7, a: { gte: 20 } }, data: { sales_aggregate: [{ count: 1 }] } },
    refused("(nothing: 1) { count }"),
    refused('(amount: "x") { count }'),
    refused("(amount: { between: [1, 2] }) { count }"),
  ]);
});

describe("groups", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    { ...asked(
        '(groupBy: region, orderBy: "region") { region count sum { amount } }',
        "admin",
        { region: "north", count: 2, sum_amount: 30 },
        { region: "south", count: 3, sum_amount: 4294967294 },
        { region: null, count: 1, sum_amount: 5 },
      ),
      name: "null is a group, and the last",
    },
    { ...asked(
        '(groupBy: "channel", orderBy: "channel") { count }',
        "admin",
        { channel: "shop", count: 2 },
        { channel: "web", count: 2 },
        { channel: null, count: 2 },
      ),
      name: "group-by fields are answered whether selected or not",
    },
    asked(
      '(group_by: ["region", "channel"], user: { lt: 9 }, orderBy: "-count") { count }',
      "admin",
      ...[
        { region: "north", channel: "shop", count: 1 },
        { region: "north", channel: "web", count: 1 },
        { region: "south", channel: "shop", count: 1 },
        { region: null, channel: null, count: 1 },
      ].map(() => expect.objectContaining({ count: 1 })),
    ),
    asked("(groupBy: [region, channel], user: 7, orderBy: channel__desc) { region channel count }", "admin",
      { region: "north", channel: "web", count: 1 }, { region: "north", channel: "shop", count: 1 }),
    asked("(groupBy: paid, orderBy: paid) { paid count }", "admin", { paid: false, count: 1 }, { paid: true, count: 1 }, { paid: null, count: 4 }),
    asked("(groupBy: day, orderBy: day__desc, limit: 2) { day }", "admin", { day: null }, { day: "2026-03-01" }),
    asked("(groupBy: moment, id: 1) { count }", "admin", { moment: "2026-01-01T10:00:00.000Z", count: 1 }),
    asked("(groupBy: folder_id, orderBy: folder_id, limit: 2) { count }", "admin", { folder_id: 1, count: 2 }, { folder_id: 2, count: 1 }),
    asked("(groupBy: rank, orderBy: rank, limit: 1) { rank avg { price } }", "admin", { rank: 1, avg_price: 1.5 }),
    { ...asked("(groupBy: region, id: 99) { region count }", "admin"), name: "no rows: no groups" },
    { name: "group-by fields by a variable", given, as: "admin",
      query: "query ($by: [SalesOrderBy!]) { sales_aggregate(groupBy: $by, user: 8, orderBy: region) { count } }", variables: { by: ["region"] },
      data: { sales_aggregate: [{ region: "south", count: 1 }, { region: null, count: 1 }] } },
    refused("(groupBy: nothing) { count }"), refused("(groupBy: extra) { count }"), refused("(groupBy: [region, region2]) { count }"),
    refused("(groupBy: 1) { count }"), refused("(groupBy: folder) { count }"),
    refused("(groupBy: code) { count }", `${denied} code`),
    refused("(groupBy: region) { channel count }"),
    refused("(groupBy: region) { region { length } }"),
  ]);
});

describe("order, limit and offset", () => {
  const byRegion = (order: string, ...regions: (string | null)[]) => ({
    ...asked(`(groupBy: region, ${order}) { region }`, "admin", ...regions.map((region) => ({ region }))),
  });
  graphqlScenarios(service, [
    byRegion('orderBy: "count"', null, "north", "south"),
    byRegion('orderBy: "-count"', "south", "north", null),
    byRegion("orderBy: count__desc", "south", "north", null),
    byRegion('order_by: "-region"', null, "south", "north"),
    {
      ...asked(
        '(groupBy: region, orderBy: "-sum_amount") { region sum { amount } }',
        "admin",
        { region: "south", sum_amount: 4294967294 },
        { region: "north", sum_amount: 30 },
        { region: null, sum_amount: 5 },
      ),
      name: "by a result key",
    },
    byRegion("orderBy: count, limit: 1", null),
    byRegion("orderBy: count, limit: 1, offset: 1", "north"),
    byRegion("orderBy: count, offset: 3"),
    refused("(groupBy: region, limit: 0) { count }"),
    refused("(groupBy: region, offset: -1) { count }"),
    refused("(groupBy: region, orderBy: nothing) { count }"),
    refused('(groupBy: region, orderBy: "channel") { count }'),
    refused('(groupBy: region, orderBy: "sum_region") { count }'),
    refused('(groupBy: region, orderBy: "-sum_nothing") { count }'),
    refused('(groupBy: region, orderBy: "count desc") { count }'),
    refused('(groupBy: region, orderBy: "-sum_cost") { count }', `${denied} cost`, seven),
    refused('(groupBy: region, orderBy: "min_code") { count }', `${denied} code`),
  ]);

  const many = { sales: Array.from({ length: 15 }, (_, at) => ({ amount: at })) };
  const counts = (limit: string, groups: number): GraphqlScenario => ({
    name: `${limit || "no limit"}: ${groups} of 15 groups`,
    given: many,
    as: "admin",
    query: `{ sales_aggregate(groupBy: amount, orderBy: amount${limit}) { count } }`,
    data: { sales_aggregate: Array.from({ length: groups }, (_, amount) => ({ amount, count: 1 })) },
  });
  graphqlScenarios(service, [counts("", 10), counts(", limit: 11", 11), counts(", limit: 99", 12)]);
});

describe("access", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    { ...asked(" { count sum { amount } }", seven, { count: 2, sum_amount: 30 }), name: "row conditions of search" },
    asked("(groupBy: region) { count }", { role: "user", sub: "8" }, ...[1, 1].map((count) => expect.objectContaining({ count }))),
    asked(" { count }", { role: "user", sub: "99" }, { count: 0 }),
    refused(" { count }", denied, null),
    refused("(groupBy: region) { count }", denied, "unnamed"),
    { name: "search rules, not those of fetch", given: { stamps: [{ value: 1 }] }, as: "admin", query: "{ stamps_aggregate { count } }",
      fails: denied },
    { given: library, name: "books: what a role finds by search is what it counts", as: seven,
      query: "{ books_aggregate { count sum { pages } } }", data: { books_aggregate: [{ count: 3, sum_pages: 600 }] } },
    { given: library, query: "{ books_aggregate { count } }", fails: denied },
    refused(" { sum { cost } }", `${denied} cost`, seven),
    refused(" { max_cost }", `${denied} cost`, seven),
    refused("(groupBy: cost) { count }", `${denied} cost`, seven),
    refused("(cost: { gt: 1 }) { count }", `${denied} cost`, seven),
    refused("(cost: null) { count }", `${denied} cost`, seven),
    refused("(groupBy: [region, cost]) { count }", `${denied} cost`, seven),
    refused("(limit: 0, groupBy: nothing) { sum { cost } }", denied, seven),
    refused(" { min { code } }", `${denied} code`),
    refused("(code: null) { count }", `${denied} code`),
    refused("(groupBy: region) { sum { code } }", `${denied} code`),
  ]);
});

describe("what cannot be asked", () => {
  graphqlScenarios(service, [
    ...["region", "day", "moment", "paid", "channel", "ref", "extra", "nothing", "folder"].flatMap(
      (field) => [refused(` { sum { ${field} } }`), refused(` { avg { ${field} } }`)],
    ),
    ...["paid", "extra", "ref", "nothing", "folder"].map((field) => refused(` { min { ${field} } }`)),
    refused(" { sum }"),
    refused(" { count { amount } }"),
    refused(" { count(amount: 1) }"),
    refused(" { sum(amount: 1) { amount } }"),
    refused(" { sum { amount { x } } }"),
    refused(" { region }"),
    refused(" { amount }"),
    refused(" { median { amount } }"),
    refused(" { sum_region }"),
    refused(" { sum { } }"),
    refused(""),
    { query: "{ nothing_aggregate { count } }", as: "admin", fails: "404 NOT_FOUND" },
    { query: "{ sales_aggregate_aggregate { count } }", as: "admin", fails: "404 NOT_FOUND" },
    { query: "{ _aggregate { count } }", as: "admin", fails: "404 NOT_FOUND" },
    { query: "{ Sales_aggregate { count } }", as: "admin", fails: "404 NOT_FOUND" },
  ]);
});
