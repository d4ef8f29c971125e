import { describe, expect, it } from "vitest";
import { limitSql, pageShape } from "../../../runtime/sql/page-sql.ts";
import { plan } from "../../../runtime/sql/sql.ts";

const sought = { filters: [], searchIn: [] };
const caller = { user_id: null, role: "guest", email: null };

/** The text of a page, and what is bound. */
function pageOf(limit: number, offset: number) {
  const { statement, bind } = plan(limitSql(sought, { limit, offset }));
  return [statement.text, bind([limit, offset], caller)];
}

describe("the bounds of a page", () => {
  it.each([
    [1, 0, "limit 1", []],
    [10, 0, "limit 10", []],
    [100, 0, "limit 100", []],
    [101, 0, "limit $1::bigint", [101]],
    [10, 20, "limit 10 offset $1::bigint", [20]],
    [1000, 20, "limit $1::bigint offset $2::bigint", [1000, 20]],
    [1.5, 0, "limit $1::bigint", [1.5]],
    [Number.NaN, 0, "limit $1::bigint", [Number.NaN]],
  ])("limit %s, offset %s: %s", (limit, offset, text, values) => {
    expect(pageOf(limit, offset)).toEqual([text, values]);
  });

  it("have the same shape where their SQL is the same, and else another one", () => {
    const pages = [1, 10, 100, 101, 500, 1000].flatMap((limit) =>
      [0, 5, 7].map((offset) => ({ limit, offset })),
    );
    const texts = new Map<string, Set<string>>();
    for (const page of pages) {
      const { statement } = plan(limitSql(sought, page));
      texts.set(pageShape(page), (texts.get(pageShape(page)) ?? new Set()).add(statement.text));
    }
    expect([...texts.values()].map(({ size }) => size)).toEqual([...texts].map(() => 1));
    expect(texts.size).toBe(8);
  });
});
