import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { type GraphqlScenario, graphqlScenarios, sendGraphql } from "../../support/graphql.ts";
import { bound, refused, stored, unbound } from "../../support/graphql-samples.ts";
import { sampleRows, sampleUuids } from "../../support/sample-rows.ts";
import { testService } from "../../support/service.ts";

const service = await testService();
const invalid = "400 VALIDATION_ERROR";

describe("what is sent is answered, in its order and in one form", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    stored("strings", '["b", "a", "b", "", "null", "x,\\"y\\"{}\\\\"]', ["b", "a", "b", "", "null", 'x,"y"{}\\']),
    stored("strings", "[]", []),
    stored("strings", "null", null),
    stored("texts", '["a\\nb"]', ["a\nb"]),
    stored("emails", '["a@example.org"]', ["a@example.org"]),
    stored("integers", "[-1, 2147483647]", [-1, 2147483647]),
    stored("bigints", '[9007199254740993, "7", 1e3]', ["9007199254740993", "7", "1000"]),
    stored("decimals", '[1.5, "1.500", 12345.678, -0.0]', ["1.500", "1.500", "12345.678", "0.000"]),
    stored("floats", "[0.1, 1e300, 7]", [0.1, 1e300, 7]),
    stored("booleans", "[true, false]", [true, false]),
    stored("datetimes", '["2026-01-01T10:00+02:00"]', ["2026-01-01T08:00:00.000Z"]),
    stored("dates", '["2026-01-31"]', ["2026-01-31"]),
    stored("times", '["12:30", "12:30:00.5"]', ["12:30:00.000", "12:30:00.500"]),
    stored("uuids", `["${sampleUuids[0].toUpperCase()}"]`, [sampleUuids[0]]),
  ]);
});

describe("one value is a list of one", () => {
  graphqlScenarios(service, [
    stored("strings", '"a,b"', ["a,b"]),
    stored("strings", '"[]"', ["[]"]),
    stored("decimals", "12.5", ["12.500"]),
    stored("bigints", "9007199254740993", ["9007199254740993"]),
    stored("booleans", "false", [false]),
    stored("integers", "0", [0]),
    {
      as: "admin",
      given: { samples: [{ id: 1, serial: 5, strings: "{x}" }] },
      query: `mutation ($s: String, $d: [Decimal!]) {
        updateSamples(where: { id: 1 }, input: { strings: $s, decimals: $d }) { strings decimals }
        upsertSamples(input: { serial: 5, integers: 7, strings: ["y"] }) { strings integers }
      }`,
      variables: { s: "a", d: "1.5" },
      data: {
        updateSamples: [{ strings: ["a"], decimals: ["1.500"] }],
        upsertSamples: { strings: ["y"], integers: [7] },
      },
    },
  ]);
});

describe("elements are never null, and obey their field", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    refused("strings", "[null]"),
    refused("strings", '["a", 1]'),
    refused("strings", '[["a"]]'),
    refused("strings", "{ a: 1 }"),
    refused("strings", `"${"x".repeat(256)}"`),
    refused("integers", "[1.5]"),
    refused("decimals", "[1.2345]"),
    refused("bigints", "[9223372036854775808]"),
    refused("datetimes", '["yesterday"]'),
    refused("times", '["24:00"]'),
    refused("codes", "[]"),
    refused("codes", '"a"'),
    refused("labels", '["a", "b", "c", "d"]'),
    refused("amounts", "[1.5, 1.50]"),
    { name: "an element out of its pattern", as: "admin", query: "mutation ($v: [String]) { createSamples(input: { codes: $v }) { id } }",
      variables: { v: ["ab", "ABC"] }, fails: `${invalid} codes` },
  ]);
});

describe("variables are those of the elements", () => {
  graphqlScenarios(service, [
    bound("strings", "[String!]", ["a", "b"], ["a", "b"]),
    bound("strings", "[String!]!", ["a"], ["a"]),
    bound("strings", "[String!]!", "a", ["a"]),
    bound("strings", "String", "a", ["a"]),
    bound("strings", "[String]", null, null),
    bound("integers", "[Int!]", [1], [1]),
    bound("decimals", "[Decimal!]", ["1", 2.5], ["1.000", "2.500"]),
    bound("decimals", "[Float!]", [2.5], ["2.500"]),
    bound("bigints", "[Int64!]", ["9007199254740993"], ["9007199254740993"]),
    bound("bigints", "[Int64!]", [9007199254740992], ["9007199254740992"]),
    bound("times", "[Time!]", ["12:30"], ["12:30:00.000"]),
    bound("uuids", "[UUID!]", [sampleUuids[0]], [sampleUuids[0]]),
    unbound("strings", "[String!]", ["a", null], "v"),
    unbound("strings", "[Int!]", [1], "v"),
    unbound("strings", "[[String!]]", [["a"]]),
    unbound("decimals", "[Decimal!]", [0.1234567890123456]),
    unbound("strings", "EnumFilter", ["a"], "v"),
    unbound("strings", "StringListFilter", ["a"], "v"),
  ]);
});

/** The ids of the rows that a filter lets through. */
const found = (filter: string, ...ids: number[]): GraphqlScenario => ({
  given: sampleRows,
  query: `{ samples(${filter}) { id } }`,
  data: { samples: ids.map((id) => ({ id })) },
});
const sought = (type: string, v: Json, ...ids: number[]): GraphqlScenario => ({
  given: sampleRows,
  query: `query ($v: ${type}) { samples(strings: $v) { id } }`,
  variables: { v },
  data: { samples: ids.map((id) => ({ id })) },
});
const misread = (filter: string, about: string): GraphqlScenario => ({
  given: sampleRows,
  query: `{ samples(${filter}) { id } }`,
  fails: `${invalid} ${about}`,
});

describe("filters", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    found('strings: ["apple pie", "plum"]', 1),
    found('strings: ["plum", "apple pie"]'),
    found('strings: ["plum"]'),
    found('strings: "banana"', 2),
    found('strings: { eq: "banana" }', 2),
    found("strings: []"),
    found("strings: null", 3),
    found("strings: { eq: null }", 3),
    found("strings: { is_null: false }", 1, 2),
    found('strings: { contains: ["plum", "apple pie"] }', 1),
    found('strings: { contains: "plum" }', 1),
    found('strings: { contains: ["plum", "banana"] }'),
    found("strings: { contains: [] }", 1, 2, 3),
    found('strings: { overlaps: ["plum", "banana"] }', 1, 2),
    found('strings: { overlaps: "banana", contains: "banana", eq: ["banana"] }', 2),
    found("strings: { overlaps: [] }"),
    found('strings: { contains: "plum,banana" }'),
    found("decimals: 1.50", 1),
    found("decimals: { overlaps: [1.5, 1.501] }", 1, 2),
    found("decimals: { contains: 1.5000000000000000000000001 }"),
    found("bigints: { contains: 9007199254740993 }", 1),
    found("bigints: [9007199254740994, -1]", 2),
    found("booleans: { contains: [true] }", 2),
    found('times: "12:30"', 1),
    found('datetimes: { overlaps: ["2026-01-01T12:00+02:00"] }', 1),
    found(`uuids: { contains: "${sampleUuids[0].toUpperCase()}" }`, 1),
    sought("StringListFilter", ["banana"], 2),
    sought("StringListFilter", "banana", 2),
    sought("StringListFilter", { overlaps: ["banana", "plum"] }, 1, 2),
    sought("[String!]", ["banana"], 2),
    sought("String", "banana", 2),
    { given: sampleRows, query: "query ($v: [String!]) { samples(strings: { contains: $v }) { id } }", variables: { v: "plum" },
      data: { samples: [{ id: 1 }] } },
    misread("strings: { contains: null }", "strings"),
    misread("strings: { contains: [null] }", "strings"),
    misread("strings: { contains: [[]] }", "strings"),
    misread('strings: { in: ["plum"] }', "strings"),
    misread('strings: { neq: ["plum"] }', "strings"),
    misread('strings: { like: "plum" }', "strings"),
    misread("integers: [1.5]", "integers"),
    misread('dates: "yesterday"', "dates"),
    { given: sampleRows, as: "admin", query: "mutation { destroySamples(where: { strings: { contains: [] } }) { id } }", fails: `${invalid} where` },
    { given: sampleRows, as: "admin",
      query: 'mutation { destroySamples(where: { strings: { contains: "plum" } }) { id bigints datetimes floats } }',
      data: { destroySamples: [{ id: 1, bigints: ["9007199254740993"], datetimes: ["2026-01-01T10:00:00.000Z"], floats: [0.5, 1e300] }] } },
  ]);
});

describe("nothing is ordered, grouped or added up by a list", () => {
  // biome-ignore format: one case a line
  test.each([
    ["{ samples(orderBy: strings) { id } }", "orderBy", "cannot order by a string[] field"],
    ["{ samples(orderBy: bigints__desc) { id } }", "orderBy", "cannot order by a bigint[] field"],
    ["{ samples_aggregate(groupBy: [name, bigints]) { count } }", "groupBy", "cannot group by a bigint[] field"],
    ["{ samples_aggregate(groupBy: strings) { count } }", "groupBy", "cannot group by a string[] field"],
    ["{ samples_aggregate { sum { integers } } }", "integers", "cannot be used with sum"],
    ["{ samples_aggregate { max_strings } }", "max_strings", "cannot be used with max"],
  ])("%s", async (query, field, message) => {
    const { status, envelope } = await sendGraphql(service, query);
    expect([status, envelope.details?.["field"]]).toEqual([400, field]);
    expect(envelope.message).toContain(message);
  });
});

describe("aggregates and joins filter by lists, and joins answer them", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    { given: sampleRows, query: '{ samples_aggregate(strings: { overlaps: ["plum", "banana"] }) { count sum_decimal } }',
      data: { samples_aggregate: [{ count: 2, sum_decimal: "-99999987.49" }] } },
    { given: sampleRows, query: "{ samples(id: 2) { parent { strings decimals times booleans } } }",
      data: { samples: [{ parent: { strings: ["apple pie", "plum"], decimals: ["1.500"], times: ["12:30:00.000"], booleans: [false] } }] } },
  ]);
});
