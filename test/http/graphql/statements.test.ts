import { describe, expect, test } from "vitest";
import { dataOf, type Variables } from "../../support/graphql.ts";
import { library, tree } from "../../support/graphql-library.ts";
import { countedService } from "../../support/watched-database.ts";

const service = await countedService();
const { sent } = service;

/** How many statements and transactions a document takes. */
async function cost(
  query: string,
  variables?: Variables,
): Promise<[statements: number, transactions: number]> {
  sent.statements.length = 0;
  sent.transactions = 0;
  await dataOf(service, query, "admin", variables);
  return [sent.statements.length, sent.transactions];
}

const nested = (levels: number): string =>
  `{ folders { ${"children(limit: 5) { name parent { id } ".repeat(levels)} name ${"}".repeat(levels)} } }`;
const everyJoin = `{
  books { title author { name profile { bio } books { title chapters { heading } } } editor { name edited { title } }
    publisher_id { name } vault { name items { title } } reader { handle } chapters { number book { title } } } }`;

describe("a list with all that is joined to it is one statement", () => {
  test.each([0, 1, 3, 5])("%i levels deep", async (levels) => {
    await service.store(tree);
    expect(await cost(nested(levels))).toEqual([1, 0]);
  });

  test.each([0, 1, 50])("for any number of rows: %i of each", async (count) => {
    const many = Array.from({ length: count }, (_, at) => at + 1);
    await service.store({
      authors: many.map((id) => ({ id, name: `a${id}` })),
      books: many.map((id) => ({ id, title: `b${id}`, author_id: id, editor: 1 })),
      chapters: many.map((id) => ({ id, number: id, book_id: 1 })),
    });
    expect(await cost(everyJoin)).toEqual([1, 0]);
  });

  test("every kind of join, at once and under aliases", async () => {
    await service.store(library);
    expect(await cost(everyJoin)).toEqual([1, 0]);
    expect(
      await cost(
        'query ($n: Int) { books(search: "a", limit: 3) { a: chapters(number: $n) { id } b: chapters(orderBy: "-number", limit: 1) { id } ...F } } fragment F on books { author { name } }',
        { n: 1 },
      ),
    ).toEqual([1, 0]);
  });

  test("each root field is one, and no transaction is opened", async () => {
    await service.store({ ...library, ...tree });
    expect(
      await cost("{ a: folders { id } b: folders { children { id } } books { author { id } } __typename }"),
    ).toEqual([3, 0]);
  });

  test("what is skipped costs nothing", async () => {
    await service.store(tree);
    const query = "query ($f: Boolean!) { folders @include(if: $f) { id } __typename }";
    expect(await cost(query, { f: true })).toEqual([1, 0]);
    expect(await cost(query, { f: false })).toEqual([0, 0]);
    expect(await cost("{ __typename }")).toEqual([0, 0]);
  });

  test("also where hooks look at the rows", async () => {
    await service.store({
      hooked: [{ id: 1, name: "one", code: "c" }],
      ledger: [{ hooked_id: 1 }, { hooked_id: 1 }],
    });
    expect(await cost("{ hooked { n: name entries { hooked_name hooked { id } } } }")).toEqual([1, 0]);
  });
});

describe("an aggregate is one statement", () => {
  test.each([
    "{ sales_aggregate { count } }",
    '{ sales_aggregate(groupBy: [region, channel], orderBy: "-count", limit: 5) { count sum { amount price } avg { amount } min { day } max { day } } }',
    "{ sales_aggregate(amount: { gt: 1 }) { count } }",
  ])("%s", async (query) => {
    await service.store({ sales: [{ amount: 1 }, { amount: 2, region: "a" }] });
    expect(await cost(query)).toEqual([1, 0]);
  });
});

describe("a mutation's write and what is selected of it are two at most", () => {
  const given = {
    ...tree,
    authors: [{ id: 1, name: "Ann" }],
    books: [{ id: 1, title: "One", author_id: 1 }],
  };
  // biome-ignore format: one case a line
  test.each([
    ["create", 'mutation { createFolders(input: { name: "x" }) { id name children { id } parent { name } } }'],
    ["update", "mutation { updateFolders(where: { size: { gt: 0 } }, input: { size: 1 }) { id children { name parent { id } } } }"],
    ["upsert", 'mutation { upsertFolders(input: { name: "root", size: 2 }) { name children { id } } }'],
    ["delete", "mutation { deleteBooks(ids: [1]) { title author { name } } }"],
    ["destroy", "mutation { destroyFolders(ids: [9]) { name } }"],
  ])("%s", async (_, query) => {
    await service.store(given);
    const [statements, transactions] = await cost(query);
    expect(statements).toBeLessThanOrEqual(2);
    expect(transactions).toBe(1);
  });
});

describe("a plan is made once", () => {
  test("for one text with any values: the statement's text is the same", async () => {
    await service.store(tree);
    const query =
      "query ($f: IntFilter, $n: Int) { folders(size: $f, limit: 5, offset: $n) { id children(size: $f) { id } } }";
    const texts = new Set<string>();
    for (const [f, n] of [
      [1, 1],
      [5, 2],
      [9, 3],
    ]) {
      await cost(query, { f: f ?? 0, n: n ?? 1 });
      for (const text of sent.statements) texts.add(text);
    }
    expect(texts.size).toBe(1);
  });

  test("no statement contains a value of a caller", async () => {
    await service.store(tree);
    await cost(
      'query ($a: String) { folders(name: { in: ["canary-1", $a] }, search: "canary-3", size: 424242) { canary_4: name children(name: { like: "canary-5" }, limit: 11) { id } } }',
      { a: "canary-2" },
    );
    expect(sent.statements.join()).not.toMatch(/canary-|424242/);
  });
});
