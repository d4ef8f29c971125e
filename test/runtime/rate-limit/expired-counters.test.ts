import pino from "pino";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createDatabase, type Queryable, removeExpiredRows } from "#runtime/database/index";
import { PostgresWindow } from "#runtime/rate-limit/index";
import { service } from "../../http/fixture/generated/index.ts";
import { serviceDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { silent } from "../../support/silent-log.ts";

const { url, query } = await serviceDatabase(service);
const database = createDatabase({ url, log: silent });
afterAll(() => database.close());

const limit = { maxRequests: 1000, windowSeconds: 3600 };
const table = "kirak_rate_limits";

/** Counters that expired a minute ago, and some that are live. */
async function store(expired: number, live: number): Promise<void> {
  const columns = "(key, count, max_requests, window_seconds, expires_at)";
  await query(`DELETE FROM ${table};
    INSERT INTO ${table} ${columns} SELECT 'old:' || i, 1, 5, 1, now() - interval '1 minute' FROM generate_series(1, ${expired}) AS i;
    INSERT INTO ${table} ${columns} SELECT 'live:' || i, 1, 5, 1, now() + interval '1 hour' FROM generate_series(1, ${live}) AS i`);
}

async function left(condition = "true"): Promise<number> {
  const [row] = await query(`SELECT count(*)::int AS count FROM ${table} WHERE ${condition}`);
  return row?.["count"];
}

const old = "key LIKE 'old:%'";

describe("removeExpiredRows", () => {
  const remove = (atOnce: number) => removeExpiredRows(database, { table, atOnce });

  test("takes as many as it was told, the oldest first, and leaves what is live", async () => {
    await store(25, 5);
    await query(`UPDATE ${table} SET expires_at = now() - interval '1 day' WHERE key IN ('old:7', 'old:9')`);
    expect(await remove(2)).toBe(2);
    expect(await left("key IN ('old:7', 'old:9')")).toBe(0);
    expect([await remove(10), await remove(10), await remove(10), await remove(10)]).toEqual([10, 10, 3, 0]);
    expect([await left(), await left(old)]).toEqual([5, 0]);
  });

  test("two at once share the work and wait for nobody", async () => {
    await store(1000, 5);
    const removed = await Promise.all(Array.from({ length: 30 }, () => remove(50)));
    // Each takes what no other has locked; together no row twice.
    expect(removed.reduce((sum, count) => sum + count)).toBe(1000 - (await left(old)));
    while ((await remove(50)) > 0);
    expect([await left(), await left(old)]).toEqual([5, 0]);
  });

  test("a row that somebody has locked stays for the next time", async () => {
    await store(10, 0);
    await database.transaction(async (transaction) => {
      await transaction.run(
        { name: null, text: `SELECT 1 FROM ${table} WHERE key = 'old:3' FOR UPDATE` },
        [],
      );
      expect(await remove(100)).toBe(9);
    });
    expect(await remove(100)).toBe(1);
  });
});

describe("while requests are counted", () => {
  /** The connection of a process; how many rows its removals took, and whether they fail. */
  function watched() {
    const removals: number[] = [];
    const state = { fails: false };
    const connection: Queryable = {
      ...database,
      async run(statement, values) {
        if (!statement.text.includes("delete")) return database.run(statement, values);
        if (state.fails) throw new Error("not now");
        const rows = await database.run(statement, values);
        removals.push(Number(rows[0]?.[0]));
        return rows;
      },
    };
    const lines: string[] = [];
    const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
    const window = new PostgresWindow({ database: connection, log });
    const count = (key = "request") => window.count([{ key, requests: 1, limit }]);
    /** Counts a request, and waits for the removals that there are then. */
    const countUntil = async (removed: number) => {
      await count();
      await eventually(() => expect(removals).toHaveLength(removed));
      // The removal is over a moment after its answer.
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { removals, state, lines, count, countUntil };
  }

  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());
  const pass = (ms: number) => vi.advanceTimersByTime(ms);

  test("a pile goes in steps of 500, one after each batch; then there is one step in five seconds", async () => {
    await store(1200, 5);
    const { removals, count, countUntil } = watched();
    for (let step = 1; step <= 3; step++) await countUntil(step);
    expect(removals).toEqual([500, 500, 200]);
    expect([await left(old), await left("key LIKE 'live:%'")]).toEqual([0, 5]);
    for (let batch = 0; batch < 20; batch++) await count();
    pass(4_999);
    await count();
    expect(removals).toHaveLength(3);
    pass(1);
    await countUntil(4);
    expect(removals.at(-1)).toBe(0);
  });

  test("of many batches at once one removes", async () => {
    await store(150, 0);
    const { removals, count } = watched();
    await Promise.all(Array.from({ length: 20 }, () => count()));
    await eventually(() => expect(removals).toEqual([150]));
  });

  test("two processes at once remove all of it, and count every request", async () => {
    await store(2000, 5);
    const [one, two] = [watched(), watched()];
    await vi.waitFor(
      async () => {
        await Promise.all([one.count("both"), two.count("both"), one.count("both"), two.count("both")]);
        pass(5_000);
        expect(await left(old)).toBe(0);
      },
      { interval: 5, timeout: 20_000 },
    );
    const all = [...one.removals, ...two.removals];
    expect(all.reduce((sum, count) => sum + count)).toBe(2000);
    expect(Math.max(...all)).toBeLessThanOrEqual(500);
    expect(await left("key LIKE 'live:%'")).toBe(5);
    const [both] = await query(
      `SELECT count % 4 AS rest, count > 0 AS some FROM ${table} WHERE key = 'both'`,
    );
    expect(both).toEqual({ rest: 0, some: true });
  }, 30_000);

  test("a counter that has expired and is asked for again begins anew, removed or not", async () => {
    await store(1, 0);
    const { count } = watched();
    for (let used = 1; used <= 3; used++) expect(await count("old:1")).toMatchObject([{ granted: 1, used }]);
    expect(await left()).toBe(1);
  });

  test("where it fails requests are counted all the same, and it is tried again five seconds later", async () => {
    await store(10, 0);
    const { removals, state, lines, count, countUntil } = watched();
    state.fails = true;
    for (let batch = 1; batch <= 5; batch++)
      expect(await count()).toMatchObject([{ granted: 1, used: batch }]);
    await eventually(() => expect(lines).toHaveLength(1));
    expect(lines[0]).toContain("expired counters of rate limits could not be removed");
    await new Promise((resolve) => setImmediate(resolve));
    state.fails = false;
    await count();
    expect([removals.length, lines.length]).toEqual([0, 1]);
    pass(5_000);
    await countUntil(1);
    expect(removals).toEqual([10]);
  });
});
