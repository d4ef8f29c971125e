import { describe } from "vitest";
import { type GraphqlScenario, graphqlScenarios } from "../../support/graphql.ts";
import { bound, refused, stored, unbound } from "../../support/graphql-samples.ts";
import { testService } from "../../support/service.ts";

const service = await testService();
const invalid = "400 VALIDATION_ERROR";

const given = {
  samples: [
    { id: 1, name: "a", decimal: "12.50", bigint: "9007199254740993", time: "12:30", wide: "0.1", whole: 7 },
    { id: 2, name: "a", decimal: "-3.00", bigint: "-9223372036854775808", time: "08:00:00.5", wide: "0.2" },
    { id: 3, name: "b", decimal: "12.50", bigint: "9223372036854775807", time: "12:30", whole: 8 },
    { id: 4, name: "b", wide: "123456789012345678901234567890.000000000000000000000000000001" },
  ],
};
const widest = "123456789012345678901234567890.000000000000000000000000000001";

describe("a value in a document is stored with all its digits", () => {
  graphqlScenarios(service, [
    stored("decimal", '"12.5"', "12.50"),
    stored("decimal", "12.5", "12.50"),
    stored("decimal", "12.50", "12.50"),
    stored("decimal", "12.500", "12.50"),
    stored("decimal", "1.25e1", "12.50"),
    stored("decimal", "-0", "0.00"),
    stored("decimal", "-0.0", "0.00"),
    stored("decimal", "99999999.99", "99999999.99"),
    stored("decimal", "null", null),
    stored("wide", widest, widest),
    stored("wide", `"${widest}"`, widest),
    stored("wide", `-${widest}`, `-${widest}`),
    stored("wide", "1e29", `1${"0".repeat(29)}.${"0".repeat(30)}`),
    stored("wide", "1E-30", `0.${"0".repeat(29)}1`),
    stored("whole", "12345678901234567890", "12345678901234567890"),
    stored("bigint", "9007199254740993", "9007199254740993"),
    stored("bigint", "-9223372036854775808", "-9223372036854775808"),
    stored("bigint", '"9223372036854775807"', "9223372036854775807"),
    stored("bigint", "7.0", "7"),
    stored("bigint", "1e3", "1000"),
    stored("rate", "0.07", "0.07"),
    stored("level", "9007199254740993", "9007199254740993"),
    stored("time", '"12:30"', "12:30:00.000"),
    stored("time", '"23:59:59.999"', "23:59:59.999"),
  ]);
});

describe("more than fits is refused, and nothing is rounded", () => {
  graphqlScenarios(service, [
    refused("decimal", "12.505"),
    refused("decimal", '"12.500"'),
    refused("decimal", "100000000"),
    refused("decimal", '"1e1"'),
    refused("decimal", "1e99999999999"),
    refused("decimal", '" 1"'),
    refused("decimal", "true"),
    refused("decimal", "[1]"),
    refused("whole", "1.5"),
    refused("bigint", "9223372036854775808"),
    refused("bigint", "1.5"),
    refused("bigint", '"1e3"'),
    refused("rate", "0.08"),
    refused("price", "0.009"),
    refused("step", "9007199254740994"),
    refused("level", "9007199254740992"),
    refused("time", '"24:00"'),
    refused("time", '"12:30:00.0001"'),
    refused("time", "12"),
  ]);
});

describe("variables", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    bound("decimal", "Decimal", "12.5", "12.50"),
    bound("decimal", "Decimal!", 12.5, "12.50"),
    bound("decimal", "String", "12.5", "12.50"),
    bound("decimal", "Int", 12, "12.00"),
    bound("decimal", "Float", 12.25, "12.25"),
    bound("wide", "Decimal", widest, widest),
    bound("wide", "Float", 1e20, `1${"0".repeat(20)}.${"0".repeat(30)}`),
    bound("bigint", "Int64", "9007199254740993", "9007199254740993"),
    bound("bigint", "Int64", 9007199254740991, "9007199254740991"),
    bound("bigint", "ID", "7", "7"),
    bound("time", "Time", "12:30", "12:30:00.000"),
    bound("time", "String", "12:30", "12:30:00.000"),
    unbound("decimal", "Decimal", 0.1234567890123456, "decimal"),
    unbound("wide", "Decimal", 0.1234567890123456, "wide"),
    bound("bigint", "Int64", 9007199254740992, "9007199254740992"),
    unbound("bigint", "Int64", 1e20, "bigint"),
    unbound("decimal", "Boolean", true, "v"),
    unbound("decimal", "Int64", "7", "v"),
    unbound("bigint", "Float", 7, "v"),
    unbound("time", "Date", "12:30", "v"),
    { name: "a default in the document keeps its digits",
      as: "admin",
      query: `mutation ($d: Decimal = 0.123456789012345678901, $i: SamplesCreate = { bigint: 9007199254740993, wide: ${widest} }) {
        a: createSamples(input: { wide: $d }) { wide } b: createSamples(input: $i) { bigint wide } }`,
      data: { a: { wide: "0.123456789012345678901000000000" },
        b: { bigint: "9007199254740993", wide: widest },
      },
    },
    { name: "a whole input", as: "admin",
      query: "mutation ($i: SamplesCreate!) { row: createSamples(input: $i) { decimal bigint time opens price step } }",
      variables: { i: { decimal: 1, bigint: "2", time: "03:04" } },
      data: { row: { decimal: "1.00", bigint: "2", time: "03:04:00.000", opens: "09:00:00.000", price: "9.50", step: "1" } } },
    { name: "a list of filters", given, query: "query ($v: [Decimal!], $b: Int64Filter) { samples(decimal: { in: $v }, bigint: $b) { id } }",
      variables: { v: ["12.5", 3], b: { gt: "9007199254740993" } }, data: { samples: [{ id: 3 }] } },
  ]);
});

/** The ids of the rows that a filter lets through. */
const found = (filter: string, ...ids: number[]): GraphqlScenario => ({
  given,
  query: `{ samples(${filter}) { id } }`,
  data: { samples: ids.map((id) => ({ id })) },
});
const misread = (filter: string, about: string): GraphqlScenario => ({
  given,
  query: `{ samples(${filter}) { id } }`,
  fails: `${invalid} ${about}`,
});

describe("filters compare by value", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    found("decimal: 12.5", 1, 3),
    found('decimal: "12.500"', 1, 3),
    found("decimal: { gt: -3.0000000000000000000000001 }", 1, 2, 3),
    found("decimal: { lt: 12.4999999999999999999999999 }", 2),
    found("decimal: 12.50000000000000000000000001"),
    found("decimal: { in: [12.5, -3] }", 1, 2, 3),
    found("decimal: { in: 12.5 }", 1, 3),
    found("decimal: { nin: [12.5] }", 2),
    found("decimal: { neq: -3 }", 1, 3),
    found("decimal: null", 4),
    found(`wide: ${widest}`, 4),
    found("wide: 123456789012345678901234567890.0"),
    found("wide: { gte: 123456789012345678901234567890.000000000000000000000000000001 }", 4),
    found("bigint: 9007199254740993", 1),
    found("bigint: 9007199254740992"),
    found("bigint: { gte: 9007199254740993 }", 1, 3),
    found("bigint: { lt: -9223372036854775807 }", 2),
    found('bigint: "9223372036854775807"', 3),
    found('time: "12:30"', 1, 3),
    found('time: { gte: "08:00:00.500", lt: "12:30" }', 2),
    found('time: { in: ["08:00:00.5"] }', 2),
    misread('decimal: "abc"', "decimal"),
    misread("decimal: true", "decimal"),
    misread('decimal: { like: "1" }', "decimal"),
    misread("bigint: 9223372036854775808", "bigint"),
    misread("bigint: 1.5", "bigint"),
    misread("bigint: 1e400", "bigint"),
    misread('time: "noon"', "time"),
    misread('decimal: { contains: ["1"] }', "decimal"),
    { given, as: "admin", query: `mutation { updateSamples(where: { wide: ${widest} }, input: { wide: 0.1234567890123456789 }) { id wide } }`,
      data: { updateSamples: [{ id: 4, wide: "0.123456789012345678900000000000" }] } },
    { given, as: "admin", query: "mutation { destroySamples(where: { bigint: { in: [9007199254740993] } }) { bigint decimal time } }",
      data: { destroySamples: [{ bigint: "9007199254740993", decimal: "12.50", time: "12:30:00.000" }] } },
  ]);
});

describe("rows are ordered by value, and joined over bigints", () => {
  const family = {
    samples: [
      { id: 1, serial: "9007199254740993", decimal: "9", bigint: 9 },
      { id: 2, serial: "9007199254740992", parent: "9007199254740993", decimal: "10", bigint: 10 },
    ],
  };
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    { given: family, query: "{ a: samples(orderBy: decimal) { id } b: samples(orderBy: bigint__desc) { id } }",
      data: { a: [{ id: 1 }, { id: 2 }], b: [{ id: 2 }, { id: 1 }] } },
    { given: family, query: "{ samples { id parent { serial decimal bigint opens wide } } }",
      data: { samples: [{ id: 1, parent: null },
          { id: 2, parent: { serial: "9007199254740993", decimal: "9.00", bigint: "9", opens: "09:00:00.000", wide: null } }] } },
  ]);
});

const figures = (request: string, ...data: object[]): GraphqlScenario => ({
  given,
  query: `{ groups: samples_aggregate${request} }`,
  data: { groups: data },
});

describe("figures", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    figures("{ count sum { decimal bigint wide whole } avg { decimal bigint whole } min { decimal bigint time } max { wide bigint time } }",
      { count: 4, sum_decimal: "22.00", sum_bigint: "9007199254740992",
        sum_wide: "123456789012345678901234567890.300000000000000000000000000001", sum_whole: "15", avg_decimal: "7.33333333",
        avg_bigint: "3002399751580330.666667", avg_whole: "7.500000", min_decimal: "-3.00", min_bigint: "-9223372036854775808",
        min_time: "08:00:00.500", max_wide: widest, max_bigint: "9223372036854775807", max_time: "12:30:00.000" }),
    figures("(id: 0) { count sum_decimal avg_bigint max_time }", { count: 0, sum_decimal: null, avg_bigint: null, max_time: null }),
    figures("(groupBy: [decimal, time], orderBy: count__desc, decimal: { is_null: false }) { count bigint: sum_bigint }",
      { decimal: "12.50", time: "12:30:00.000", count: 2, sum_bigint: "9232379236109516800" },
      { decimal: "-3.00", time: "08:00:00.500", count: 1, sum_bigint: "-9223372036854775808" }),
    figures('(groupBy: "bigint", bigint: { gt: 0 }, orderBy: "-bigint") { bigint }', { bigint: "9223372036854775807" },
      { bigint: "9007199254740993" }),
    figures('(groupBy: name, orderBy: "-avg_decimal") { avg_decimal }', { name: "b", avg_decimal: "12.50000000" },
      { name: "a", avg_decimal: "4.75000000" }),
  ]);
});

// Of PostgreSQL's own average the last digits depend on how many it works out before it rounds.
describe("an average is rounded once, half away from zero", () => {
  const rows = (...values: string[]) => ({
    samples: values.map((wide, index) => ({ id: index + 1, wide, whole: wide.split(".")[0] })),
  });
  const average = (request: string, answer: string, ...values: string[]): GraphqlScenario => ({
    name: `of ${values.length}: ${values.slice(0, 3).join(" and ")} is ${answer}`,
    given: rows(...values),
    query: `{ samples_aggregate { ${request} } }`,
    data: { samples_aggregate: [{ [request]: answer }] },
  });
  const long = "99999999999999999999";
  graphqlScenarios(service, [
    average("avg_whole", "33333333333333333333.000000", long, "0", "0"),
    average("avg_whole", "66666666666666666666.000000", long, long, "0"),
    average("avg_whole", "49999999999999999999.500000", long, "0"),
    average("avg_whole", "0.285714", "2", ...Array.from({ length: 6 }, () => "0")),
    average("avg_whole", "-0.285714", "-2", ...Array.from({ length: 6 }, () => "0")),
    average("avg_wide", `0.${"0".repeat(29)}1000000`, `0.${"0".repeat(29)}1`, `0.${"0".repeat(29)}1`),
    average("avg_whole", "0.015625", "1", ...Array.from({ length: 63 }, () => "0")),
    average("avg_whole", "0.007813", "1", ...Array.from({ length: 127 }, () => "0")),
    average("avg_whole", "-0.007813", "-1", ...Array.from({ length: 127 }, () => "0")),
    average("avg_whole", "0.000000", "1", "-1"),
  ]);
});
