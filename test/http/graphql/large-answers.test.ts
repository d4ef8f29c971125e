import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "#runtime/database/index";
import { sendGraphql } from "../../support/graphql.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { watchedDatabase } from "../../support/watched-database.ts";

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
/** All names once for each of 12 × 12 × 12 ways to them, and `count` times in each. */
const siblings = (count: number) =>
  `parent { children(limit: 12) { parent { children(limit: 12) { parent { children(limit: 12) { ${names(count)} } } } } } }`;

beforeEach(async () => {
  longest = 0;
  const folders = Array.from({ length: 12 }, (_, at) => ({
    id: at + 2,
    name: `${at}${"x".repeat(200)}`,
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
