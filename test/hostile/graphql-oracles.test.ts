import { describe, expect, test } from "vitest";
import { dataOf, type Variables } from "../support/graphql.ts";
import { seven } from "../support/graphql-library.ts";
import { outcome } from "../support/scenarios.ts";
import { graphqlWorld } from "./support/graphql-world.ts";

const { service, ask } = await graphqlWorld();

describe("what a role may not read cannot be found out", () => {
  /** Every place in which a field of a joined or counted model could be asked about. */
  const places = (root: string, join: string, field: string): string[] => [
    `{ ${root} { ${join} { ${field} } } }`,
    `{ ${root} { ${join} { x: ${field} } } }`,
    `{ ${root} { ${join}(${field}: { is_null: false }) { id } } }`,
    `{ ${root} { ${join}(${field}: null) { id } } }`,
    `{ ${root} { ${join}(${field}: 1, nothing: 1) { id } } }`,
    `{ ${root} { ${join}(orderBy: "${field}") { id } } }`,
    `{ ${root} { ${join}(orderBy: "-${field}") { id } } }`,
    `{ ${root} { ${join}(orderBy: ${field}__desc) { id } } }`,
    `{ ${root} { ... { ...F } } } fragment F on ${root} { ${join} { ${field} } }`,
  ];

  test.each([
    ...places("authors", "books", "note"),
    ...places("books", "chapters", "book { note }").slice(0, 2),
    ...places("chapters", "book", "note").slice(0, 2),
    ...places("books", "author", "salary").slice(0, 2),
    ...places("books", "vault", "combination").slice(0, 2),
    ...places("books", "reader", "points").slice(0, 2),
    "{ books { vault { items(note: null) { id } } } }",
    '{ books { vault { items(orderBy: "-note") { id } } } }',
    "{ books { author { books { author { salary } } } } }",
  ])("%s", async (query) => {
    const reply = await ask(query, seven);
    expect(outcome(reply), reply.text).toMatch("403 PERMISSION_DENIED");
    expect(reply.text).not.toMatch(/hidden gem|"10"|"123"/);
  });

  // biome-ignore format: one case a line
  test.each([
    ["query ($f: IntFilter) { sales_aggregate(cost: $f) { count } }", { f: { gt: 80 } }],
    ["query ($g: [SalesOrderBy!]) { sales_aggregate(groupBy: $g) { count } }", { g: ["cost"] }],
    ["query ($g: String) { sales_aggregate(groupBy: [region, $g]) { count } }", { g: "cost" }],
    ["query ($o: String) { sales_aggregate(groupBy: region, orderBy: $o) { region } }", { o: "-max_cost" }],
    ["query ($o: String) { sales_aggregate(groupBy: region, orderBy: $o) { region } }", { o: "avg_cost" }],
    ["query ($o: String) { sales_aggregate(groupBy: region, orderBy: $o) { region } }", { o: "cost" }],
    ["{ sales_aggregate { min_cost } }", {}],
    ["{ sales_aggregate { ...F } } fragment F on sales_aggregate { sum { cost } }", {}],
    ["query ($o: String) { books(orderBy: $o) { id } }", { o: "note" }],
    ["query ($f: StringFilter) { books(note: $f) { id } }", { f: { like: "hidden" } }],
    ["query ($w: BooksWhere) { a: __typename books(note: $w) { id } }", { w: { like: "h" } }],
    ["mutation ($w: BooksWhere!) { deleteBooks(where: $w) { id } }", { w: { note: { like: "hidden" } } }],
    ["mutation ($w: BooksWhere!) { updateBooks(where: $w, input: { pages: 1 }) { id } }", { w: { id: 1, note: null } }],
    ["mutation { updateBooks(where: { id: 1 }, input: { pages: 1 }) { id note } }", {}],
    ["mutation { updateBooks(where: { id: 1 }, input: { pages: 1 }) { id author { salary } } }", {}],
    ["mutation { updateBooks(where: { id: 1 }, input: { pages: 1 }) { vault { combination } } }", {}],
    ["mutation { deleteBooks(ids: [1]) { note } }", {}],
    ["mutation { deleteBooks(ids: [1]) { author { books(note: null) { id } } } }", {}],
  ] as const)("%s %j", async (query, variables) => {
    expect(outcome(await ask(query, seven, variables))).toMatch("403 PERMISSION_DENIED");
    const [book] = await service.query("SELECT pages, deleted_at FROM books WHERE id = 1");
    expect(book).toEqual({ pages: 100, deleted_at: null });
  });

  // biome-ignore format: one case a line
  test.each<[query: string, harmless: Variables, harmful: Variables]>([
    ["query ($f: IntFilter) { sales_aggregate(cost: $f) { count } }", {}, { f: { gt: 80 } }],
    ["query ($f: Int) { sales_aggregate(cost: { gt: $f }) { count } }", {}, { f: 80 }],
    ["query ($f: StringFilter) { books(note: $f) { id } }", {}, { f: { like: "h" } }],
    ["query ($f: StringFilter) { books(note: $f) { id } }", {}, { f: null }],
    ["query ($f: StringFilter) { authors { books(note: $f) { id } } }", {}, { f: "hidden gem" }],
    ["query ($o: String) { books(orderBy: $o) { id } }", {}, { o: "note" }],
    ["query ($o: String) { books(orderBy: $o) { id } }", { o: "title" }, { o: "-note" }],
    ["query ($o: BooksOrderBy) { authors { books(orderBy: $o) { id } } }", { o: "id" }, { o: "note__desc" }],
    ["query ($g: [SalesOrderBy!]) { sales_aggregate(groupBy: $g) { count } }", { g: ["region"] }, { g: ["cost"] }],
    ["query ($g: [SalesOrderBy!]) { sales_aggregate(groupBy: $g) { count } }", {}, { g: ["region", "cost"] }],
    ["query ($o: String) { sales_aggregate(orderBy: $o) { count } }", { o: "count" }, { o: "min_cost" }],
    ["query ($i: Boolean!) { books { id note @include(if: $i) } }", { i: false }, { i: true }],
    ["query ($i: Boolean!) { books { author { id salary @skip(if: $i) } } }", { i: true }, { i: false }],
    ["query ($i: Boolean!) { id: __typename tasks: docs @skip(if: $i) { id } sales @include(if: $i) { id } }", { i: false }, { i: true }],
    ["query ($s: String) { sales(search: $s) { id } }", { s: "north" }, {}],
    ["query ($s: String) { chapters(search: $s) { id } }", {}, { s: "A" }],
    ["mutation ($w: BooksWhere!) { updateBooks(where: $w, input: { pages: 100 }) { id } }", { w: { id: 1 } }, { w: { id: 1, note: null } }],
    ["mutation ($i: AuthorsUpdate!) { updateAuthors(where: { id: 1 }, input: $i) { id } }", { i: { name: "Ann" } }, { i: { user: 8 } }],
  ])("one text, harmless values before and after: %s", async (query, harmless, harmful) => {
    expect(outcome(await ask(query, seven, harmless))).toBe("200");
    expect(outcome(await ask(query, seven, harmful))).toMatch("403 PERMISSION_DENIED");
    expect(outcome(await ask(query, seven, harmless))).toBe("200");
    expect(outcome(await ask(query, seven, harmful))).toMatch("403 PERMISSION_DENIED");
  });

  test("deleted and unreachable rows come by no way of the joins", async () => {
    const seen = await ask(
      `{ books { author { books(deleted_at: { is_null: false }) { title } } publisher_id { name } vault { name items { title } } }
         authors { books(deleted_at: { neq: null }, draft: true) { title } edited { title author { name } } profile { bio } } }`,
      { role: "user", sub: "99" },
    );
    expect(outcome(seen)).toBe("200");
    expect(seen.text).not.toMatch(/Gone|Delta|Cleo|Bob|gone|south|Epsilon/);
  });

  test("an aggregate counts what a search shows, whatever is asked", async () => {
    const counts = await dataOf(
      service,
      "{ all: sales_aggregate { count } groups: sales_aggregate(groupBy: user) { count } theirs: sales_aggregate(user: 8) { count } max: sales_aggregate { max { amount } } }",
      seven,
    );
    expect(counts).toEqual({
      all: [{ count: 1 }],
      groups: [{ user: 7, count: 1 }],
      theirs: [{ count: 0 }],
      max: [{ max_amount: 1 }],
    });
  });
});
