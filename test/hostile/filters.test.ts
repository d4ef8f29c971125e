import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, query, type Reply, type Row } from "../support/model-service.ts";
import { expectEnvelope } from "../support/scenarios.ts";
import { runs } from "../support/seeded.ts";
import { startWorld } from "./support/models.ts";
import {
  type Condition,
  conditionSql,
  conditions,
  fieldNames,
  insertion,
  parameter,
  selectSql,
  whereEntry,
} from "./support/oracle.ts";

/** Parameters of a list in addition to its filters. */
const listing = fc.record({
  order_by: fc.option(fc.constantFrom(...fieldNames.filter((name) => name !== "doc")), { nil: undefined }),
  order: fc.constantFrom("ASC", "desc", "Desc", undefined),
  select: fc.option(fc.uniqueArray(fc.constantFrom(...fieldNames), { minLength: 1 }), { nil: undefined }),
  limit: fc.option(fc.integer({ min: 1, max: 45 }), { nil: undefined }),
  offset: fc.option(fc.integer({ min: 0, max: 90 }), { nil: undefined }),
  page: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined, freq: 1 }),
  commas: fc.boolean(),
});

const answeredNames = [...fieldNames];

describe("random filters, compared with plain SQL", async () => {
  const world = await startWorld();
  await world.db.query("set timezone = 'UTC'; set standard_conforming_strings = on");
  await world.db.query(fc.sample(insertion, { numRuns: 90, seed: 11 }).join("\n"));

  const rowsOf = (names: readonly string[], where: readonly Condition[], tail: string): Promise<Row[]> =>
    world.db.query(`${selectSql(names, where.map(conditionSql))} ${tail}`);

  async function read(
    path: string,
    parameters: Record<string, string | number | undefined>,
  ): Promise<Reply["json"]> {
    const sent = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const reply = await world.send({ path: `/things/${path}${query(Object.fromEntries(sent))}` });
    expectEnvelope(reply, sent);
    expect(reply.status, `${reply.text} for ${JSON.stringify(sent)}`).toBe(200);
    return reply.json;
  }

  it("fetch: the same rows in the same order, the same total", async () => {
    await fc.assert(
      fc.asyncProperty(conditions, listing, async (where, { select, commas, ...list }) => {
        const filters = Object.fromEntries(where.map((condition) => parameter(condition, commas)));
        const fieldList = commas ? select?.join() : select && JSON.stringify(select);
        const answer = await read("fetch", { ...filters, ...list, select_fields: fieldList });
        const limit = Math.min(list.limit ?? 10, 40);
        const offset = list.page === undefined ? (list.offset ?? 0) : (list.page - 1) * limit;
        const names = answeredNames.filter((name) => select === undefined || select.includes(name));
        const direction = list.order?.toUpperCase() === "DESC" ? "desc nulls first" : "asc nulls last";
        const order = [
          ...(list.order_by === undefined ? [] : [`"${list.order_by}" ${direction}`]),
          `id ${direction}`,
        ];
        const tail = `order by ${order.join()} limit ${limit} offset ${offset}`;
        const rows = answer.data.map(({ deleted_at, ...row }) => row);
        expect(rows).toEqual(await rowsOf(names, where, tail));
        const isPaginated = list.page !== undefined || list.offset !== undefined;
        expect("pagination" in answer).toBe(isPaginated);
        if (!isPaginated) return;
        const total = (await rowsOf(["id"], where, "")).length;
        expect(answer.pagination).toEqual({
          limit,
          page: Math.floor(offset / limit) + 1,
          offset,
          total,
          total_pages: Math.ceil(total / limit),
          has_more: offset + limit < total,
        });
      }),
      runs(500),
    );
  });

  it("count and exists agree with it", async () => {
    await fc.assert(
      fc.asyncProperty(conditions, fc.boolean(), async (where, commas) => {
        const filters = Object.fromEntries(where.map((condition) => parameter(condition, commas)));
        const total = (await rowsOf(["id"], where, "")).length;
        expect((await read("count", filters)).data).toEqual({ count: total });
        if (where.length > 0) expect((await read("exists", filters)).data).toEqual({ exists: total > 0 });
      }),
      runs(150),
    );
  });

  it("in any order, the pages together are the whole list", async () => {
    await fc.assert(
      fc.asyncProperty(conditions, listing, async (where, { order_by, order, limit = 7 }) => {
        const filters = Object.fromEntries(where.map((condition) => parameter(condition, false)));
        const ids: unknown[] = [];
        for (let page = 1; ; page++) {
          const { data, pagination } = await read("fetch", {
            ...filters,
            order_by,
            order,
            limit,
            page,
            select_fields: "id",
          });
          ids.push(...data.map(({ id }) => id));
          if (pagination?.["has_more"] !== true) break;
        }
        expect(new Set(ids).size).toBe(ids.length);
        const all = (await rowsOf(["id"], where, "")).map(({ id }) => id);
        expect([...ids].sort()).toEqual(all.sort());
      }),
      runs(40),
    );
  });

  it("search: the term as it stands, in any case, in any searchable field", async () => {
    const term = fc.oneof(
      fc.constantFrom(
        "a",
        "B",
        "%",
        "_",
        "\\",
        "c\\",
        "'",
        '"',
        "é",
        "É",
        "日",
        "😀",
        " ",
        "a b",
        "x,y",
        ".",
      ),
      fc.string({ minLength: 1, maxLength: 2 }),
    );
    await fc.assert(
      fc.asyncProperty(conditions, term, async (where, search_term) => {
        const filters = Object.fromEntries(where.map((condition) => parameter(condition, false)));
        const { data } = await read("search", { ...filters, search_term, limit: 40, select_fields: "id" });
        const text = `lower('${search_term.replaceAll("'", "''")}')`;
        const found = `and (strpos(lower(name), ${text}) > 0 or strpos(lower(note), ${text}) > 0) order by id limit 40`;
        expect(data).toEqual(await rowsOf(["id"], where, found));
      }),
      runs(150),
    );
  });

  it("update: a JSON where reaches the same rows", async () => {
    await fc.assert(
      fc.asyncProperty(conditions, async (where) => {
        const wanted = (await rowsOf(["id"], where, "order by id")).map(({ id }) => id);
        const { status, json } = await world.send(
          call("PUT /things/update", {
            where: Object.fromEntries(where.map(whereEntry)),
            data: { doc: { touched: 1 } },
          }),
        );
        const isEmpty = where.every(({ operator, values }) => operator === "not_in" && values.length === 0);
        if (isEmpty) expect(status).toBe(400);
        else if (wanted.length === 0) expect(status).toBe(404);
        else expect([...json.data.updated_ids].sort((a: number, b: number) => a - b)).toEqual(wanted);
      }),
      runs(80),
    );
  });
});
