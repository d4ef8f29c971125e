import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { startWorld } from "../../hostile/support/models.ts";
import {
  type Condition,
  conditionSql,
  conditions,
  fieldNames,
  fields,
  insertion,
  selectSql,
} from "../../hostile/support/oracle.ts";
import { literal } from "../../support/graphql-both-ways.ts";
import type { Row } from "../../support/model-service.ts";
import { requestOf } from "../../support/request.ts";
import { runs } from "../../support/seeded.ts";

const operators: Readonly<Record<string, string>> = {
  eq: "eq",
  ne: "neq",
  gt: "gt",
  gte: "gte",
  lt: "lt",
  lte: "lte",
  like: "like",
  ilike: "ilike",
  in: "in",
  not_in: "nin",
};
const lists = ["in", "not_in"];

/** Conditions as one object of operators a field. Those that GraphQL has no operator for are said in other words. */
function whereOf(list: readonly Condition[]): { [field: string]: { [operator: string]: Json } } {
  const where: { [field: string]: { [operator: string]: Json } } = {};
  for (const { field, operator, values } of list) {
    const [first = null, second = null] = values;
    const said: { [operator: string]: Json } =
      operator === "between"
        ? { gte: first, lte: second }
        : operator === "is_null" || operator === "is_not_null"
          ? { is_null: operator === "is_null" }
          : { [operators[operator] ?? operator]: lists.includes(operator) ? [...values] : first };
    where[field] = { ...said, ...where[field] };
  }
  return where;
}

/** Without those that would say the same of one field twice. */
const distinct = conditions.map((list) => {
  const said = new Set<string>();
  return list.filter(({ field, operator }) => {
    const names =
      operator === "between" ? ["gte", "lte"] : [operator.startsWith("is_") ? "is_null" : operator];
    const keys = names.map((name) => `${field} ${name}`);
    if (keys.some((key) => said.has(key))) return false;
    for (const key of keys) said.add(key);
    return true;
  });
});

const filterTypes: Readonly<Record<string, string>> = {
  id: "BigIntFilter",
  big: "BigIntFilter",
  count: "IntFilter",
  ratio: "FloatFilter",
  flag: "BooleanFilter",
  day: "DateFilter",
  doc: "JSONFilter",
  ref: "UUIDFilter",
  at: "DateTimeFilter",
  created_at: "DateTimeFilter",
  updated_at: "DateTimeFilter",
  color: "EnumFilter",
  size: "EnumFilter",
};

const listing = fc.record({
  order: fc.option(fc.constantFrom(...fieldNames.filter((name) => name !== "doc")), { nil: undefined }),
  descending: fc.boolean(),
  names: fc.uniqueArray(fc.constantFrom(...fieldNames), { minLength: 1 }),
  limit: fc.option(fc.integer({ min: 1, max: 45 }), { nil: undefined }),
  offset: fc.option(fc.integer({ min: 0, max: 90 }), { nil: undefined }),
  /** Whether filters are sent as variables, and plain values as such. */
  bound: fc.boolean(),
  plain: fc.boolean(),
});

// Hundreds of requests, on a machine that may have other work.
const patience = { timeout: 60_000 };

describe("random filters, compared with plain SQL", async () => {
  const world = await startWorld();
  await world.db.query("set timezone = 'UTC'; set standard_conforming_strings = on");
  await world.db.query(fc.sample(insertion, { numRuns: 90, seed: 11 }).join("\n"));

  async function answerOf(
    query: string,
    variables: { readonly [name: string]: Json },
  ): Promise<readonly Row[]> {
    const { status, text } = await world.send(requestOf("POST /graphql", { query, variables }));
    expect(status, `${text} for ${query} ${JSON.stringify(variables)}`).toBe(200);
    return JSON.parse(text).data.answer;
  }

  /** Filter arguments of a field, and the variables that they need. */
  function filtersOf(where: readonly Condition[], bound: boolean, plain: boolean) {
    const entries = Object.entries(whereOf(where)).map(([field, filter]): [string, Json] => {
      const isPlain = plain && Object.keys(filter).length === 1 && filter["eq"] !== undefined;
      return [field, isPlain ? (filter["eq"] ?? null) : filter];
    });
    const args = entries.map(([field, value]) => `${field}: ${bound ? `$${field}` : literal(value)}`);
    const declared = entries
      .map(([field]) => `$${field}: ${filterTypes[field] ?? "StringFilter"}`)
      .join(", ");
    return {
      args,
      head: bound && entries.length > 0 ? `query (${declared}) ` : "",
      variables: bound ? Object.fromEntries(entries) : {},
    };
  }

  const sqlOf = (where: readonly Condition[]): string =>
    ["deleted_at is null", ...where.map(conditionSql)].join(" and ");

  test("lists: the same rows in the same order", patience, async () => {
    await fc.assert(
      fc.asyncProperty(
        distinct,
        listing,
        async (where, { order, descending, names, limit, offset, bound, plain }) => {
          const { args, head, variables } = filtersOf(where, bound, plain);
          const list = [
            ...args,
            ...(order === undefined ? [] : [`orderBy: ${descending ? `"-${order}"` : order}`]),
            ...(limit === undefined ? [] : [`limit: ${limit}`]),
            ...(offset === undefined ? [] : [`offset: ${offset}`]),
          ];
          const query = `${head}{ answer: things${list.length > 0 ? `(${list.join(", ")})` : ""} { ${names.join(" ")} } }`;
          const direction = order !== undefined && descending ? "desc nulls first" : "asc nulls last";
          const by = [...(order === undefined ? [] : [`"${order}" ${direction}`]), `id ${direction}`].join();
          const tail = `order by ${by} limit ${Math.min(limit ?? 10, 40)} offset ${offset ?? 0}`;
          const rows = await world.db.query(`${selectSql(names, where.map(conditionSql))} ${tail}`);
          expect(await answerOf(query, variables)).toEqual(rows);
        },
      ),
      runs(200),
    );
  });

  test("aggregates: the same count and bounds, in groups too", patience, async () => {
    const groups = ["color", "size", "flag", "day", "name"];
    const shape = fc.record({ by: fc.subarray(groups, { maxLength: 2 }), bound: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(distinct, shape, async (where, { by, bound }) => {
        const { args, head, variables } = filtersOf(where, bound, false);
        const order = by[0] === undefined ? [] : [`orderBy: ${by[0]}`, "limit: 40"];
        const list = [...args, ...(by.length > 0 ? [`groupBy: [${by.join(", ")}]`] : []), ...order];
        const query = `${head}{ answer: things_aggregate${list.length > 0 ? `(${list.join(", ")})` : ""} {
          count sum { count ratio } min { count name day } max { size name } } }`;
        const grouped = by.map((name) => `"${name}"`);
        const functions = `count(*)::int as count, sum("count")::float8 as sum_count, sum(ratio) as sum_ratio,
          min("count") as min_count, min(name) as min_name, min(day)::text as min_day, max(size) as max_size, max(name) as max_name`;
        const rows = await world.db.query(
          `select ${[...by.map((name) => `"${name}"${fields[name]?.cast === "date" ? "::text" : ""} as "${name}"`), functions].join()}
           from things where ${sqlOf(where)} ${by.length > 0 ? `group by ${grouped.join()} ` : ""}`,
        );
        const answer = await answerOf(query, variables);
        const key = (row: Row): string => JSON.stringify(Object.entries(row).sort());
        if (rows.length <= 40) expect(answer.map(key).sort()).toEqual(rows.map(key).sort());
        else expect(answer).toHaveLength(40);
      }),
      runs(80),
    );
  });

  test("mutations: a where reaches the same rows", patience, async () => {
    await fc.assert(
      fc.asyncProperty(distinct, async (where) => {
        const rows = await world.db.query(
          `select id::float8 as id from things where ${sqlOf(where)} order by id`,
        );
        const { status, text } = await world.send(
          requestOf("POST /graphql", {
            query:
              "mutation ($w: ThingsWhere) { answer: updateThings(where: $w, input: { doc: { touched: 1 } }) { id } }",
            variables: { w: whereOf(where) },
          }),
        );
        const isEmpty = where.every(({ operator, values }) => operator === "not_in" && values.length === 0);
        if (isEmpty) expect(status, text).toBe(400);
        else if (rows.length === 0) expect(status, text).toBe(404);
        else {
          expect(status, text).toBe(200);
          const ids: number[] = JSON.parse(text).data.answer.map(({ id }: { id: number }) => id);
          expect(ids.sort((a, b) => a - b)).toEqual(rows.map(({ id }) => id));
        }
      }),
      runs(80),
    );
  });
});
