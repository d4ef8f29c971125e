import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "#runtime/core/database/index";
import { sendGraphql } from "../../support/graphql.ts";
import { tree } from "../../support/graphql-library.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { countedService, watchedDatabase } from "../../support/watched-database.ts";

const service = await countedService({ server: { bodyLimitBytes: 1_000_000 } });
const { sent } = service;

const times = (count: number, text: string | ((at: number) => string)): string =>
  Array.from({ length: count }, (_, at) => (typeof text === "string" ? text : text(at))).join(" ");

/** A document that is as much as a limit allows, made longer by one. */
// biome-ignore format: one case a line
const edges: readonly (readonly [name: string, document: (more: number) => string])[] = [
  [
    "depth 8 of what is skipped",
    (more) =>
      `{ folders { id ${"children @skip(if: true) { children { children { children { children { children { "} ${more ? "children { id }" : "id"} ${"} } } } } }"} } }`,
  ],
  ["20 root fields", (more) => `{ ${times(20 + more, (at) => `a${at}: folders(limit: 1) { id }`)} }`],
  ["1,000 fields, though most are the same", (more) => `{ folders(limit: 1) { ${times(999 + more, "id")} } }`],
];

describe("as much as a limit allows, and not one more", () => {
  test.each(edges)("%s", async (_, document) => {
    await service.store(tree);
    expect(outcome(await sendGraphql(service, document(0)))).toBe("200");
    sent.statements.length = 0;
    const over = await sendGraphql(service, document(1));
    expect(outcome(over), over.text).toMatch("400 VALIDATION_ERROR");
    expect(sent.statements).toEqual([]);
  });
});

/** Children of the same limit below each other, and those of another limit below them. */
const below = (levels: number, limit: number, last: number): string =>
  `${`children(limit: ${limit}) { `.repeat(levels)} children(limit: ${last}) { id } ${"} ".repeat(levels)}`;

/** A document that asks for at most 100,000 rows of a root field, and for more where one of its numbers is one more. */
// biome-ignore format: one case a line
const fullLists: readonly (readonly [name: string, document: (more: number) => string])[] = [
  ["limits that multiply", (more) => `{ owners(limit: 1000) { pets(limit: ${100 + more}) { id } } }`],
  ["default limits", (more) => `{ folders(limit: ${10 + more}) { ${"children { ".repeat(4)} id ${"} ".repeat(5)} }`],
  ["limits above max_limit, which is 12", (more) => `{ folders(limit: 999) { ${below(3, 999, 4 + more)} } }`],
  ["a list below belongs_to", (more) => `{ owners(limit: 100) { pets(limit: 100) { owner { pets(limit: ${10 + more}) { id } } } } }`],
  ["lists next to each other, which add", (more) => `{ owners(limit: 1000) { a: pets(limit: 50) { id } b: pets(limit: ${50 + more}) { id } } }`],
  ["belongs_to next to each other", (more) => `{ pets(limit: 1000) { ${times(100 + more, (at) => `a${at}: owner { id }`)} } }`],
  ["fragments", (more) => `{ owners(limit: 1000) { ...P } } fragment P on owners { pets(limit: ${100 + more}) { id } }`],
  ["one of several root fields",
    (more) => `{ a: owners(limit: 1000) { pets(limit: 100) { id } } b: owners(limit: 1000) { pets(limit: ${100 + more}) { id } } }`],
  ["rows of a mutation",
    (more) => `mutation { createOwners(input: { user_id: 1 }) { pets(limit: 1000) { owner { pets(limit: ${100 + more}) { id } } } } }`],
];

describe("lists in lists", () => {
  test.each(fullLists)("%s: 100,000 rows, and not more", async (_, document) => {
    await service.store({});
    const within = await sendGraphql(service, document(0), "admin");
    expect(outcome(within), within.text).toBe("200");
    sent.statements.length = 0;
    expect(outcome(await sendGraphql(service, document(1), "admin"))).toBe("400 VALIDATION_ERROR limit");
    expect(sent.statements).toEqual([]);
  });

  test("of the rows that a mutation finds: more are refused, and nothing is written", async () => {
    const update = (last: number) =>
      `mutation { updateFolders(where: { id: { gte: 1 } }, input: { size: 77 }) { ${below(3, 12, last)} } }`;
    await service.store(tree);
    expect(outcome(await sendGraphql(service, update(9), "admin"))).toBe("400 VALIDATION_ERROR limit");
    const written = await sendGraphql(service, "{ folders(size: 77) { id } }");
    expect(written.envelope.data).toEqual({ folders: [] });
    expect(outcome(await sendGraphql(service, update(8), "admin"))).toBe("200");
  });

  test("of the ids of a mutation: more are refused before any SQL", async () => {
    const remove = (last: number) =>
      `mutation { destroyFolders(ids: [1, 2, 3, 4, 5, 6, 9]) { ${below(3, 12, last)} } }`;
    await service.store(tree);
    sent.statements.length = 0;
    expect(outcome(await sendGraphql(service, remove(9), "admin"))).toBe("400 VALIDATION_ERROR limit");
    expect(sent.statements).toEqual([]);
    expect(outcome(await sendGraphql(service, remove(8), "admin"))).toBe("200");
  });

  test("a limit in a variable counts as one in the text", async () => {
    const query = "query ($most: Int) { owners(limit: 1000) { pets(limit: $most) { id } } }";
    expect(outcome(await sendGraphql(service, query, "admin", { most: 100 }))).toBe("200");
    expect(outcome(await sendGraphql(service, query, "admin", { most: 101 }))).toBe(
      "400 VALIDATION_ERROR limit",
    );
  });

  test("a role that cannot read one of the lists gets 403 first", async () => {
    const query = "{ owners(limit: 1000) { pets(limit: 1000) { id } } }";
    expect(outcome(await sendGraphql(service, query, "user"))).toMatch("403 PERMISSION_DENIED");
  });
});

describe("limits of the manifest", () => {
  test("are those that hold", async () => {
    const strict = await testService({ graphql: { maxDepth: 2, maxRootFields: 1, maxComplexity: 3 } });
    const status = async (query: string) => (await sendGraphql(strict, query)).status;
    expect(await status("{ folders { id name } }")).toBe(200);
    expect(await status("{ folders { children { id } } }")).toBe(400);
    expect(await status("{ folders { id } __typename }")).toBe(400);
    expect(await status("{ folders { id name size } }")).toBe(400);
  });
});

// Expanding all of it first would exceed the timeout of the test.
describe("documents that grow", () => {
  /** Each fragment spreads the one before it twice. */
  const doubling = (levels: number): string =>
    `{ folders { ...F0 } } ${times(levels, (at) => `fragment F${at} on folders { ...F${at + 1} ...F${at + 1} }`)} fragment F${levels} on folders { id }`;

  test("exponential fragments are stopped, also where the last one holds only what is skipped", async () => {
    const query = doubling(60).replace("{ id }", "{ id @skip(if: true) }");
    expect(outcome(await sendGraphql(service, query))).toMatch("400 VALIDATION_ERROR");
  });

  test("fields that are merged are compared without a blow-up", async () => {
    const deep = `{ folders ${"{ children ".repeat(6)}{ id }${" }".repeat(6)} }`;
    for (const query of [
      `{ ${times(19, deep.slice(1, -1))} }`,
      `{ folders { ${times(200, "children { id ... { name } }")} } }`,
      `{ folders { ...A ...A ...B ...B } } fragment A on folders { ${times(60, "children { ...C }")} } fragment B on folders { ${times(60, "children { ...C }")} } fragment C on folders { id name }`,
    ]) {
      const reply = await sendGraphql(service, query);
      expect(reply.status, reply.text).toBeLessThan(500);
    }
  });

  test("many answers at once are still an answer", async () => {
    await service.store({
      folders: Array.from({ length: 12 }, (_, at) => ({
        id: at + 1,
        name: `f${at}`,
        parent_id: at === 0 ? null : 1,
      })),
    });
    const query = `{ ${times(20, (at) => `a${at}: folders(limit: 12) { children(limit: 12) { parent { children(limit: 12) { name } } } }`)} }`;
    const reply = await sendGraphql(service, query);
    expect(outcome(reply)).toBe("200");
  });
});

describe("large answers", async () => {
  /** Characters of the longest value that came out of the database. */
  let longest = 0;
  const watch = (database: Database): Database =>
    watchedDatabase(database, (connection) => async (statement, values) => {
      const rows = await connection.run(statement, values);
      longest = Math.max(longest, ...rows.flat().map((value) => value?.length ?? 0));
      return rows;
    });
  const service = await testService({}, { watch });

  const refusal = "400 VALIDATION_ERROR limit";
  const names = (count: number) => Array.from({ length: count }, (_, at) => `a${at}: name`).join(" ");
  /** All names once for each of 12 ways to them, and `count` times in each. */
  const siblings = (count: number) => `parent { children(limit: 12) { ${names(count)} } }`;
  // Few long names are as large as many short ones, and take PostgreSQL less time.
  await service.query("ALTER TABLE folders ALTER COLUMN name TYPE text");

  beforeEach(async () => {
    longest = 0;
    const folders = Array.from({ length: 12 }, (_, at) => ({
      id: at + 2,
      name: `${at}${"x".repeat(28_800)}`,
      parent_id: 1,
    }));
    await service.store({ folders: [{ id: 1, name: "up" }, ...folders] });
  });

  // A text that no string of JavaScript holds would end the process as soon as it arrives.
  describe("what no page may hold is refused, and never leaves the database", { timeout: 60_000 }, () => {
    // biome-ignore format: one case a line
    test.each([
      ["a list", `{ folders(limit: 12, offset: 1) { ${siblings(20)} } }`],
      ["root fields, which share what an answer may hold", `{ ${[2, 3, 4].map((id) => `f${id}: folders(id: ${id}) { ${siblings(80)} }`).join(" ")} }`],
      ["what is selected of an update", `mutation { updateFolders(where: { id: { gt: 1 } }, input: { size: 1 }) { ${siblings(20)} } }`],
      ["what a destroy takes away", `mutation { destroyFolders(ids: [2]) { ${siblings(240)} } }`],
    ])("%s", async (_, query) => {
      expect(outcome(await sendGraphql(service, query, "admin"))).toMatch(refusal);
      expect(longest).toBeLessThan(1_000);
      expect(await service.query("SELECT count(*)::int AS n, max(size) AS size FROM folders")).toEqual([
        { n: 13, size: null },
      ]);
    });

    test("many rows of a destroy, of which each would do", async () => {
      const query = `mutation { destroyFolders(where: { id: { gt: 1 } }) { ${siblings(20)} } }`;
      expect(outcome(await sendGraphql(service, query, "admin"))).toMatch(refusal);
      expect(await service.query("SELECT count(*)::int AS n FROM folders")).toEqual([{ n: 13 }]);
    });

    test("half as much is an answer", async () => {
      const reply = await sendGraphql(service, `{ folders(id: 2) { ${siblings(60)} } }`);
      expect(outcome(reply)).toBe("200");
      expect(longest).toBeGreaterThan(20_000_000);
    });
  });
});
