import { describe, expect, it } from "vitest";
import { pageShape, pageSql } from "#runtime/sql/page-sql";
import { plan, sql } from "#runtime/sql/sql";

const sought = { filters: [], searchIn: [] };
const caller = { user_id: null, role: "guest", email: null };

/** The text of a page, and what is bound. */
function pageOf(limit: number, offset: number) {
  const { statement, bind } = plan(pageSql(sql("ROWS"), sought, { limit, offset }));
  return [statement.text, bind([limit, offset], caller)];
}

describe("a page", () => {
  it.each([
    [1, 0, "ROWS limit 1", []],
    [10, 0, "ROWS limit 10", []],
    [100, 0, "ROWS limit 100", []],
    [101, 0, "ROWS limit $1::bigint", [101]],
    [10, 1, "select * from (ROWS limit 16) as window$ limit 10 offset $1::bigint", [1]],
    [10, 6, "select * from (ROWS limit 16) as window$ limit 10 offset $1::bigint", [6]],
    [10, 7, "select * from (ROWS limit 32) as window$ limit 10 offset $1::bigint", [7]],
    [10, 8_182, "select * from (ROWS limit 8192) as window$ limit 10 offset $1::bigint", [8_182]],
    [10, 8_183, "ROWS limit 10 offset $1::bigint", [8_183]],
    [10, Number.MAX_SAFE_INTEGER, "ROWS limit 10 offset $1::bigint", [Number.MAX_SAFE_INTEGER]],
    [1000, 20, "ROWS limit $1::bigint offset $2::bigint", [1000, 20]],
    [1.5, 0, "ROWS limit $1::bigint", [1.5]],
    [Number.NaN, 0, "ROWS limit $1::bigint", [Number.NaN]],
  ])("limit %s, offset %s: %s", (limit, offset, text, values) => {
    expect(pageOf(limit, offset)).toEqual([text, values]);
  });

  it("has the same shape where its SQL is the same, and else another one", () => {
    const limits = [1, 10, 100, 101, 500, 1000];
    const offsets = [0, 1, 5, 7, 100, 8_182, 8_183, 100_000];
    const pages = limits.flatMap((limit) => offsets.map((offset) => ({ limit, offset })));
    const texts = new Map<string, Set<string>>();
    for (const page of pages) {
      const { statement } = plan(pageSql(sql("ROWS"), sought, page));
      texts.set(pageShape(page), (texts.get(pageShape(page)) ?? new Set()).add(statement.text));
    }
    expect([...texts.values()].map(({ size }) => size)).toEqual([...texts].map(() => 1));
    const distinct = new Set([...texts.values()].flatMap((all) => [...all]));
    expect(distinct.size).toBe(texts.size);
  });
});
