import { describe, expect, it } from "vitest";
import { ModelRegistry } from "#runtime/api/graphql/index";
import {
  readAggregateOrder,
  readGroupBy,
  resolveAggregateSelection,
} from "#runtime/api/graphql/plan/plan-aggregate";
import { hookedRows, resolveSelection } from "#runtime/api/graphql/plan/selection";
import type { Problem } from "#runtime/core/errors/index";
import { definePolicy } from "#runtime/models/access/index";
import { defineModel } from "#runtime/models/index";
import { collected } from "../document/reading.ts";

const long = "a".repeat(60);

/** Fields that are called like keys of the answer: the generator warns of them. */
// biome-ignore format: many a line
const model = defineModel({
  key: "trips", typeName: "Trips", table: "trips", slug: "trips", id: "bigint", softDelete: false,
  maxLimit: 10,
  fields: {
    total: { kind: "integer" }, region: { kind: "string" }, sum_total: { kind: "integer" },
    sum_region: { kind: "string" }, count: { kind: "integer" }, min: { kind: "integer" },
    [long]: { kind: "integer" },
  },
  relations: {}, uniqueKeys: [], foreignKeys: [],
});

function resolved(selection: string) {
  const problems: Problem[] = [];
  const { fields, on } = collected(selection);
  const { results, columns } = resolveAggregateSelection(model, { fields, on }, problems);
  const kinds = [...results].map(([key, result]) => `${key} ${result.kind}`);
  return { kinds, columns, problems: problems.map(({ field }) => field) };
}

describe("a name that could be two things", () => {
  it.each<[string, string, string[]]>([
    ["is an aggregate before it is a field", "{ sum_total }", ["sum_total aggregate"]],
    ["is a field if there is no such aggregate", "{ sum_region }", ["sum_region group"]],
    ["is the count before it is a field", "{ count }", ["count count"]],
    ["is a field where no function was asked", "{ min }", ["min group"]],
    ["is a function where fields are selected", "{ min { min } }", ["min_min aggregate"]],
  ])("%s", (_, selection, kinds) => {
    expect(resolved(selection)).toMatchObject({ kinds, problems: [] });
  });

  it("is set by orderBy in the same way", () => {
    const groupBy = readGroupBy(model, ["sum_total", "sum_region", "count", "min"], []);
    const by = (name: string) => readAggregateOrder(model, name, groupBy, []).order?.by.kind;
    // biome-ignore format: many a line
    expect(["sum_total", "sum_region", "count", "min", "min_min"].map(by)).toEqual([
      "aggregate", "group", "count", "group", "aggregate",
    ]);
  });
});

describe("columns that a request names", () => {
  it.each<[string, string[]]>([
    ["{ count __typename }", []],
    ["{ sum { total } max_region region }", ["total", "region", "region"]],
    ["{ sum { region } }", ["region"]],
    ["{ nothing sum { nothing } }", []],
  ])("%s", (selection, columns) => {
    expect(resolved(selection).columns).toEqual(columns);
  });

  it.each<[string, string[]]>([
    ["-count", []],
    ["sum_total", ["total"]],
    ["avg_region", ["region"]],
    ["region", ["region"]],
    ["-nothing", []],
  ])("orderBy: %s", (order, columns) => {
    expect(readAggregateOrder(model, order, [], []).columns).toEqual(columns);
  });
});

it("a key that PostgreSQL would cut is refused", () => {
  expect(resolved(`{ sum { ${long} } }`).problems).toEqual([long]);
  expect(resolved(`{ ${long} }`).problems).toEqual([]);
});

// biome-ignore format: many a line
const orders = defineModel({
  key: "orders", typeName: "Orders", table: "orders", slug: "orders", id: "bigint", softDelete: false,
  maxLimit: 10, fields: { constructor: { kind: "string" }, toString: { kind: "string" } }, relations: {},
  uniqueKeys: [], foreignKeys: [],
});
const closed = { fetch: {}, search: {}, count: {}, exists: {}, create: {}, update: {} };
// biome-ignore format: many a line
const policy = definePolicy<typeof orders>({
  ...closed, upsert: {}, delete: {}, destroy: {}, restore: {}, fields: {},
});

it("a field that a hook takes out is null, also one with a name that every object has", () => {
  const registry = new ModelRegistry([], [{ model: orders, policy }]);
  const { fields, on } = collected("{ a: constructor b: toString __typename c: id }");
  const { toAnswer } = hookedRows(resolveSelection(registry.member("orders"), { fields, on }, registry, []));
  expect(toAnswer({ toString: "x" })).toEqual({ a: null, b: "x", __typename: "orders", c: null });
});
