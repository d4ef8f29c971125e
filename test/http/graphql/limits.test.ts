import { describe, expect, test } from "vitest";
import type { Database } from "../../../runtime/database/index.ts";
import { sendGraphql } from "../../support/graphql.ts";
import { tree } from "../../support/graphql-library.ts";
import { countingDatabase, type Sent } from "../../support/graphql-statements.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";

let sent: Sent = { statements: [], transactions: 0 };
const watch = (database: Database): Database => {
  const counting = countingDatabase(database);
  sent = counting.sent;
  return counting.database;
};
const service = await testService({ server: { bodyLimitBytes: 1_000_000 } }, { watch });

const times = (count: number, text: string | ((at: number) => string)): string =>
  Array.from({ length: count }, (_, at) => (typeof text === "string" ? text : text(at))).join(" ");

/** Levels of selection sets below the root field, one more than there are `children`. */
const nested = (children: number): string =>
  `folders ${"{ children ".repeat(children)}{ id }${" }".repeat(children)}`;

/** A document that is as much as a limit allows, made longer by one. */
const edges: readonly (readonly [name: string, document: (more: number) => string])[] = [
  ["depth 8", (more) => `{ ${nested(6 + more)} }`],
  ["depth 8 through fragments", (more) => `{ ...Q } fragment Q on Query { ... { ${nested(6 + more)} } }`],
  [
    "depth 8 of what is skipped",
    (more) =>
      `{ folders { id ${"children @skip(if: true) { children { children { children { children { children { "} ${more ? "children { id }" : "id"} ${"} } } } } }"} } }`,
  ],
  ["20 root fields", (more) => `{ ${times(20 + more, (at) => `a${at}: folders(limit: 1) { id }`)} }`],
  ["20 root fields of the same key", (more) => `{ ${times(20 + more, "folders(limit: 1) { id }")} }`],
  [
    "20 root fields in fragments",
    (more) =>
      `{ ...F ...F ${times(more, "__typename")} } fragment F on Query { ${times(10, (at) => `a${at}: __typename`)} }`,
  ],
  [
    "1,000 fields after fragments",
    (more) =>
      `{ folders(limit: 1) { ${times(9, "...F")} ${times(more, "id")} } } fragment F on folders { ${times(111, (at) => `a${at}: id`)} }`,
  ],
  [
    "1,000 fields, though most are the same",
    (more) => `{ folders(limit: 1) { ${times(999 + more, "id")} } }`,
  ],
  ["50 directives", (more) => `{ folders(limit: 1) { ${times(50 + more, "id @include(if: true)")} } }`],
  ["2,000 tokens", (more) => `{ folders(size: { in: [${times(1984 + more, "1")}] }) { id } }`],
  ["100,000 bytes", (more) => `{ folders(limit: 1) { id } } #${"x".repeat(100_000 - 30 + more)}`],
  [
    "100,000 bytes of longer characters",
    (more) =>
      `{ folders(limit: 1, name: "${"€".repeat(33_000)}") { id } } #${"x".repeat(100_000 - 99_000 - 40 + more)}`,
  ],
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

describe("lists in lists", () => {
  const query = `query ($most: Int) { owners(limit: 1000) { pets(limit: 1000) { owner { pets(limit: $most) { id } } } } }`;
  const written = (limit: number) =>
    `mutation { createOwners(input: { user_id: 1 }) { pets(limit: 1000) { owner { pets(limit: 1000) { owner { pets(limit: ${limit}) { id } } } } } } }`;

  test("whose limits multiply to more than 10,000,000 rows are refused before any SQL", async () => {
    expect(outcome(await sendGraphql(service, query, "admin", { most: 10 }))).toBe("200");
    expect(outcome(await sendGraphql(service, written(10), "admin"))).toBe("200");
    sent.statements.length = 0;
    const over = "400 VALIDATION_ERROR limit";
    expect(outcome(await sendGraphql(service, query, "admin", { most: 11 }))).toBe(over);
    expect(outcome(await sendGraphql(service, written(11), "admin"))).toBe(over);
    expect(sent.statements).toEqual([]);
  });

  test("of which the role may not read one are 403 all the same", async () => {
    expect(outcome(await sendGraphql(service, query, "user", { most: 11 }))).toMatch("403 PERMISSION_DENIED");
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

// Whoever expands all of it first does not come to an end within the time of a test.
describe("documents that grow", () => {
  /** Each fragment spreads the one before it twice. */
  const doubling = (levels: number): string =>
    `{ folders { ...F0 } } ${times(levels, (at) => `fragment F${at} on folders { ...F${at + 1} ...F${at + 1} }`)} fragment F${levels} on folders { id }`;

  test("exponential fragments are stopped at once", async () => {
    for (const levels of [30, 60, 100]) {
      expect(outcome(await sendGraphql(service, doubling(levels)))).toMatch("400 VALIDATION_ERROR");
    }
  });

  test("also where nothing is in the last one but what is skipped", async () => {
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

  test("a forest of brackets overflows no stack", async () => {
    for (const query of [
      "{".repeat(1999),
      `{ folders(size: ${"[".repeat(1900)}) { id } }`,
      `{ folders(size: ${"{a:".repeat(600)}) { id } }`,
      `{ ${"... { ".repeat(900)} folders { id } ${"}".repeat(900)} }`,
      `{ folders ${"{ children ".repeat(600)}{ id }${"}".repeat(600)} }`,
      `{ ${times(400, "...F")} } fragment F on Query { ...F }`,
    ]) {
      const reply = await sendGraphql(service, query);
      expect(outcome(reply), query.slice(0, 40)).toMatch("400 VALIDATION_ERROR");
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
