import { describe, expect, test } from "vitest";
import { sendGraphql, type Variables } from "../support/graphql.ts";
import { seven } from "../support/graphql-library.ts";
import type { Reply } from "../support/request.ts";
import { testService } from "../support/service.ts";
import type { Caller } from "../support/service-token.ts";
import { graphqlWorld, rows } from "./support/graphql-world.ts";

const { service } = await graphqlWorld();

describe("one text, many callers", () => {
  // biome-ignore format: one case a line
  const texts: readonly (readonly [query: string, variables: readonly Variables[]])[] = [
    ["{ books { id title author_id } }", [{}]],
    ["{ books { id author { id name } chapters { number } } }", [{}]],
    ["{ books { note } }", [{}]],
    ["{ authors { id books { id draft } profile { bio } } }", [{}]],
    ['{ books(search: "a") { id } }', [{}]],
    ["{ sales { id } }", [{}]],
    ["{ sales_aggregate(groupBy: user, orderBy: user) { count sum { amount } } }", [{}]],
    ["query ($f: Boolean!) { books { id note @include(if: $f) } }", [{ f: true }, { f: false }]],
    ["query ($f: Boolean!) { books { id } sales @skip(if: $f) { id } }", [{ f: true }, { f: false }]],
    ["query ($w: IntFilter, $o: String) { books(author_id: $w, orderBy: $o) { id } }",
      [{ w: 1, o: "-id" }, { w: { in: [1, 2] }, o: "pages" }, { w: null }, { o: "note" }]],
    ["{ books(limit: 2) { ...F } } fragment F on books { reader { handle points } }", [{}]],
    ["query ($n: StringFilter) { books(note: $n) { id } }", [{}, { n: "x" }, { n: null }]],
    ["query ($s: String) { books(search: $s) { id } }", [{}, { s: "gem" }]],
    ["query ($g: [SalesOrderBy!], $o: String) { sales_aggregate(groupBy: $g, orderBy: $o) { count } }",
      [{ g: ["region"] }, { g: ["cost"] }, { g: ["region"], o: "-sum_cost" }, {}]],
    ["query ($n: StringFilter, $o: String) { authors { books(note: $n, orderBy: $o) { id } } }", [{}, { n: { like: "h" } }, { o: "note" }]],
  ];
  const callers: readonly Caller[] = [null, seven, { role: "user", sub: "8" }, "staff", "admin", "__proto__"];
  const asked = texts.flatMap(([query, list]) => list.map((variables) => ({ query, variables })));

  test("each gets an answer of its own, in any order and at once", async () => {
    const wanted = callers.flatMap((as, who) =>
      asked.map((text, what) => ({ ...text, as, key: `${who} ${what}` })),
    );
    // A service that has seen nothing else answers each caller alone.
    const alone = new Map<string, string>();
    for (const [who] of callers.entries()) {
      const own = await testService();
      await own.store(rows);
      for (const { query, variables, as, key } of wanted.filter((one) => one.key.startsWith(`${who} `)))
        alone.set(key, textOf(await sendGraphql(own, query, as, variables)));
    }
    const shuffled = wanted.toSorted((a, b) => order(a.key) - order(b.key));
    for (const { query, variables, as, key } of shuffled)
      expect(textOf(await sendGraphql(service, query, as, variables)), `${key} ${query}`).toBe(
        alone.get(key),
      );
    const together = await Promise.all(
      shuffled.map(
        async ({ query, variables, as, key }) =>
          [key, textOf(await sendGraphql(service, query, as, variables))] as const,
      ),
    );
    for (const [key, text] of together) expect(text, key).toBe(alone.get(key));
    // The test is none where all get the same.
    expect(new Set(alone.values()).size).toBeGreaterThan(20);
  });

  test("so does each operation of one text", async () => {
    const query =
      "query A($n: Int = 1) { folders(limit: $n) { id } } query B($n: Int = 2) { folders(limit: $n) { id } } query C { folders_aggregate { count } }";
    const send = async (operationName: string) => {
      const { envelope } = await service.send({
        method: "POST",
        path: "/graphql",
        body: { query, operationName },
      });
      return envelope.data;
    };
    const answers = await Promise.all(["A", "B", "C", "B", "A", "C"].map(send));
    const [a, b, c] = [
      { folders: [{ id: 1 }] },
      { folders: [{ id: 1 }, { id: 2 }] },
      { folders_aggregate: [{ count: 7 }] },
    ];
    expect(answers).toEqual([a, b, c, b, a, c]);
  });

  const textOf = ({ status, text }: Reply): string => `${status} ${text}`;
  /** A fixed, but mixed order. */
  const order = (key: string): number =>
    [...key].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1009, 7);
});
