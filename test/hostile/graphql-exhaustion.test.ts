import { expect, test } from "vitest";
import type { Database } from "#runtime/database/index";
import { dataOf, sendGraphql } from "../support/graphql.ts";
import { type Rows, testService } from "../support/service.ts";
import { watchedDatabase } from "../support/watched-database.ts";

/** How many statements ran at once. */
const running = { now: 0, most: 0 };
const watch = (database: Database): Database =>
  watchedDatabase(database, (connection) => async (statement, values) => {
    running.most = Math.max(running.most, ++running.now);
    try {
      return await connection.run(statement, values);
    } finally {
      running.now--;
    }
  });
const service = await testService({ server: { bodyLimitBytes: 2 ** 20 } }, { watch });

/** A folder that is its own parent and its own child. */
const rows: Rows = { folders: [{ id: 1, name: "root", parent_id: 1, size: 1 }] };

const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(" ");

// Each element is checked and bound at each place: 150 places took minutes of the event loop and gigabytes.
// biome-ignore format: one case a line
test.each([
  ["in joins", `query ($v: [Int!]) { folders { ${times(120, (at) => `a${at}: children(size: { in: $v }) { id }`)} } }`],
  [
    "in a fragment",
    `query ($v: [Int!]) { folders { ${times(150, (at) => `a${at}: parent { ...many }`)} } }
    fragment many on folders { children(size: { in: $v }) { id } }`,
  ],
  ["in root fields", `query ($v: [Int!]) { ${times(20, (at) => `a${at}: folders(size: { in: $v }) { id }`)} }`],
])("a variable of a whole body cannot be read at many places: %s", async (_, query) => {
  await service.store(rows);
  const list = Array.from({ length: 300_000 }, (_, at) => at % 10);
  const { status, envelope } = await sendGraphql(service, query, null, { v: list });
  expect([status, envelope.details]).toEqual([400, { field: "v" }]);
});

// Each place remembered the text, twenty megabytes for a document.
test.each([
  ["a text", `name: { gt: "${"x".repeat(80_000)}" }`],
  ["a list", `size: { in: [${times(900, (at) => `${100_000 + at}`)}] }`],
])("a fragment cannot bring a long value to many places: %s", async (_, argument) => {
  const query = (places: number) =>
    `{ folders { ${times(places, (at) => `a${at}: parent { ...many }`)} } }
     fragment many on folders { children(${argument}) { id } }`;
  const { status, envelope } = await sendGraphql(service, query(125));
  expect([status, envelope.details]).toEqual([400, { field: "query" }]);
  await dataOf(service, query(10));
});

test("a long list can stand at a few places, and a short one at many", async () => {
  await service.store(rows);
  const places = (count: number) =>
    `query ($v: [Int!]) { folders { ${times(count, (at) => `a${at}: children(size: { in: $v }) { id }`)} } }`;
  await dataOf(service, places(3), null, { v: Array.from({ length: 40_000 }, (_, at) => at) });
  await dataOf(service, places(120), null, { v: Array.from({ length: 100 }, (_, at) => at) });
});

// PostgreSQL took ten seconds to plan what is done in one.
test.each([
  ["parents", (joins: string) => `{ folders { ${joins.replaceAll("join", "parent")} } }`],
  ["of a parent", (joins: string) => `{ folders { parent { ${joins.replaceAll("join", "parent_id")} } } }`],
  ["of children", (joins: string) => `{ folders { children { ${joins.replaceAll("join", "parent")} } } }`],
  ["has_one", (joins: string) => `{ authors { ${joins.replaceAll("join", "profile")} } }`],
])("as many joins as a document can hold are planned at once: %s", async (_, query) => {
  await service.store(rows);
  const begin = performance.now();
  await dataOf(service, query(times(320, (at) => `a${at}: join { id }`)), "staff");
  expect(performance.now() - begin).toBeLessThan(5_000);
});

// With its plan each took two megabytes of the database, of a thousand for each connection.
test("a connection does not collect long statements without end", async () => {
  await service.store(rows);
  for (let count = 0; count < 60; count++)
    await dataOf(service, `{ folders { ${times(60, (at) => `a${count}_${at}: parent { id }`)} } }`);
  const text = "select coalesce(sum(length(statement)), 0)::int, count(*)::int from pg_prepared_statements";
  const [[length, number] = []] = await service.pool.run({ name: null, text }, []);
  expect(Number(number)).toBeGreaterThan(0);
  expect(Number(length)).toBeLessThan(520_000);
});

test("one request leaves connections to others", async () => {
  await service.store(rows);
  running.most = 0;
  const data = await dataOf(service, `{ ${times(20, (at) => `a${at}: folders(offset: ${at}) { id }`)} }`);
  expect(running.most).toBe(4);
  expect(Object.entries(data ?? {})).toEqual(
    Array.from({ length: 20 }, (_, at) => [`a${at}`, at === 0 ? [{ id: 1 }] : []]),
  );
});
