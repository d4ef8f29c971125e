import { randomBytes } from "node:crypto";
import { Redis } from "ioredis";
import pino from "pino";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { connectCache } from "#runtime/core/cache/index";
import { createDatabase, type Queryable, removeExpiredRows } from "#runtime/core/database/index";
import {
  type CounterStore,
  connectCounters,
  PostgresWindow,
  RedisWindow,
} from "#runtime/modules/rate-limit/index";
import { service } from "../../../http/fixture/generated/index.ts";
import { testClock } from "../../../support/clock.ts";
import { serviceDatabase } from "../../../support/database.ts";
import { eventually } from "../../../support/eventually.ts";
import { hasRedis, testRedis } from "../../../support/redis.ts";
import { silent } from "../../../support/silent-log.ts";

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

  test("takes at most the given number, the oldest first, and leaves live ones", async () => {
    await store(25, 5);
    await query(`UPDATE ${table} SET expires_at = now() - interval '1 day' WHERE key IN ('old:7', 'old:9')`);
    expect(await remove(2)).toBe(2);
    expect(await left("key IN ('old:7', 'old:9')")).toBe(0);
    expect([await remove(10), await remove(10), await remove(10), await remove(10)]).toEqual([10, 10, 3, 0]);
    expect([await left(), await left(old)]).toEqual([5, 0]);
  });

  test("two at once share the work and do not wait", async () => {
    await store(1000, 5);
    const removed = await Promise.all(Array.from({ length: 30 }, () => remove(50)));
    // Each takes what no other has locked; together no row twice.
    expect(removed.reduce((sum, count) => sum + count)).toBe(1000 - (await left(old)));
    while ((await remove(50)) > 0);
    expect([await left(), await left(old)]).toEqual([5, 0]);
  });

  test("a locked row stays for the next run", async () => {
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

  test("an expired counter starts again at its next request, removed or not", async () => {
    await store(1, 0);
    const { count } = watched();
    for (let used = 1; used <= 3; used++) expect(await count("old:1")).toMatchObject([{ granted: 1, used }]);
    expect(await left()).toBe(1);
  });

  test("if it fails, requests are still counted, and it is retried after five seconds", async () => {
    await store(10, 0);
    const { removals, state, lines, count, countUntil } = watched();
    state.fails = true;
    for (let batch = 1; batch <= 5; batch++)
      expect(await count()).toMatchObject([{ granted: 1, used: batch }]);
    await eventually(() => expect(lines).toHaveLength(1));
    expect(lines[0]).toContain("cannot remove expired rate limit counters");
    await new Promise((resolve) => setImmediate(resolve));
    state.fails = false;
    await count();
    expect([removals.length, lines.length]).toEqual([0, 1]);
    pass(5_000);
    await countUntil(1);
    expect(removals).toEqual([10]);
  });
});

const hundred = { maxRequests: 100, windowSeconds: 60 };
const batches = 60;
/** Counters of one call, as many as a call has at most. */
const atOnce = 500;

/** E-mails and addresses that no test has used before. */
const randomHits = () =>
  Array.from({ length: atOnce }, (_, index) => {
    const random = randomBytes(8).toString("hex");
    const key = index % 2 === 0 ? `auth:login:email:${random}@example.org` : `auth:login:ip:${random}`;
    return { key, requests: 1, limit: hundred };
  });

/** How many keys Redis has, and the shortest and the longest time that one of them has left. */
const lives = `local keys, least, most = redis.call("KEYS", "*"), math.huge, 0
for _, key in ipairs(keys) do
  local life = redis.call("PTTL", key)
  least, most = math.min(least, life), math.max(most, life)
end
return {#keys, least, most}`;

describe("counters in PostgreSQL", async () => {
  const { url, query } = await serviceDatabase(service);
  const database = createDatabase({ url, maxConnections: 1, log: silent });
  afterAll(() => database.close());
  const rows = async () => Number((await query("SELECT count(*) FROM kirak_rate_limits"))[0]?.["count"]);

  test("go as fast as they come, however many callers there are", async () => {
    // Their windows are over as soon as they have begun.
    const now = () => Date.now() - 61_000;
    const store: CounterStore = new PostgresWindow({ database, log: silent, now });
    let most = 0;
    for (let batch = 0; batch < batches; batch++) {
      await store.count(randomHits());
      most = Math.max(most, await rows());
    }
    expect(most).toBeLessThanOrEqual(3 * atOnce);
  });
});

test("counters in PostgreSQL are counted while others are removed", async () => {
  const { url, query } = await serviceDatabase(service);
  const counting = await connectCounters({ url, log: silent });
  afterAll(() => counting.close());
  await query(`CREATE FUNCTION hesitate() RETURNS trigger AS 'BEGIN PERFORM pg_advisory_xact_lock(6); RETURN OLD; END' LANGUAGE plpgsql;
    CREATE TRIGGER hesitate BEFORE DELETE ON kirak_rate_limits FOR EACH ROW EXECUTE FUNCTION hesitate();
    INSERT INTO kirak_rate_limits (key, count, max_requests, window_seconds, expires_at) VALUES ('old', 1, 1, 1, now());
    SELECT pg_advisory_lock(6)`);
  // A machine may be too slow for it within the 300 ms after which the removal is cancelled.
  await eventually(async () => {
    let isRemoving = false;
    const watched: Queryable = {
      async run(statement, values) {
        const isRemoval = statement.name?.startsWith("kirak_expired") === true;
        if (isRemoval) isRemoving = true;
        try {
          return await counting.run(statement, values);
        } finally {
          if (isRemoval) isRemoving = false;
        }
      },
    };
    const store = new PostgresWindow({ database: watched, log: silent });
    await store.count([{ key: "first", requests: 1, limit: hundred }]);
    expect(isRemoving).toBe(true);
    await store.count([{ key: "second", requests: 1, limit: hundred }]);
    expect(isRemoving).toBe(true);
  });
}, 15_000);

describe.skipIf(!hasRedis)("counters in Redis", async () => {
  if (!hasRedis) return;
  const redis = await testRedis();
  const cache = await connectCache(redis.url, silent);
  afterAll(() => cache.close());

  test("all go by themselves at the end of their window", async () => {
    const store = new RedisWindow(cache.client);
    for (let batch = 0; batch < batches; batch++) await store.count(randomHits());
    const [count, least, most] = String(await redis.run("EVAL", lives, 0))
      .split(",")
      .map(Number);
    expect(count).toBe(batches * atOnce);
    expect(least).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(60_000);
  });

  test("of a large limit stay small", async () => {
    const clock = testClock();
    const store = new RedisWindow(cache.client, clock.now);
    const large = { maxRequests: 1_000_000, windowSeconds: 60 };
    for (let batch = 0; batch < 10_000; batch++) {
      const [count] = await store.count([{ key: "large", requests: 10, limit: large }]);
      expect(count?.granted).toBe(10);
      clock.pass(0.005);
    }
    expect(await store.find("large")).toMatchObject({ count: 100_000 });
    expect(Number(await redis.run("MEMORY", "USAGE", "kirak:rl:large", "SAMPLES", "0"))).toBeLessThan(40_000);
  });
});

/** How many commands it has run since its statistics began. */
async function commandsOf(redis: Redis): Promise<number> {
  const calls = (await redis.info("commandstats")).matchAll(/:calls=(\d+)/g);
  return [...calls].reduce((sum, [, count]) => sum + Number(count), 0);
}

describe.skipIf(!hasRedis)("what the sliding window leaves in Redis", async () => {
  const redis = hasRedis ? await testRedis() : null;
  if (redis === null) return;
  const client = new Redis(redis.url);
  afterAll(() => client.disconnect());

  test.each([
    [1_000, 1],
    [1_000_000, 1],
    [1_000_000, 7],
  ])(
    "of %d requests in a window a thousand entries, however they come: %d at a time",
    async (max, requests) => {
      const clock = testClock();
      const store = new RedisWindow(client, clock.now);
      const key = `entries:${max}:${requests}`;
      const limit = { maxRequests: max, windowSeconds: 10 };
      // Three milliseconds apart, for two windows.
      await Promise.all(
        Array.from({ length: 6_000 }, () => {
          clock.pass(0.003);
          return store.count([{ key, requests, limit }]);
        }),
      );
      // One for the limit, and one more where the window begins in the middle of a step.
      expect(await client.llen(`kirak:rl:${key}`)).toBeLessThanOrEqual(1_002);
      expect(await client.llen(`kirak:rl:${key}`)).toBeGreaterThan(900);
    },
  );

  test("nothing that stays: each key expires with its window, refused requests do not prolong it", async () => {
    const store = new RedisWindow(client);
    const hits = ["a", "b"].map((key) => ({
      key,
      requests: 3,
      limit: { maxRequests: 2, windowSeconds: 100 },
    }));
    await store.count(hits);
    await client.pexpire("kirak:rl:a", 50_000);
    await store.count(hits);
    expect(await client.pttl("kirak:rl:a")).toSatisfy((ms) => ms > 40_000 && ms <= 50_000);
    expect(await client.pttl("kirak:rl:b")).toSatisfy((ms) => ms > 90_000 && ms <= 100_000);
  });

  test("a counter that was emptied by time expires again with its next request", async () => {
    const clock = testClock();
    const store = new RedisWindow(client, clock.now);
    const hit = { key: "emptied", requests: 1, limit: { maxRequests: 2, windowSeconds: 100 } };
    await store.count([hit]);
    clock.pass(100);
    await store.count([hit]);
    expect(await client.llen("kirak:rl:emptied")).toBe(2);
    expect(await client.pttl("kirak:rl:emptied")).toBeGreaterThan(90_000);
  });

  test("a call takes few commands, however much leaves the windows of its keys at once", async () => {
    const clock = testClock();
    const store = new RedisWindow(client, clock.now);
    const hits = Array.from({ length: 20 }, (_, index) => ({
      key: `leaves:${index}`,
      requests: 1,
      limit: { maxRequests: 1_000, windowSeconds: 60 },
    }));
    for (let n = 0; n < 999; n++) {
      await store.count(hits);
      clock.pass(0.001);
    }
    clock.pass(58);
    await store.count(hits);
    clock.pass(2);
    await client.config("RESETSTAT");
    expect(await store.count(hits)).toEqual(hits.map(() => expect.objectContaining({ granted: 1, used: 2 })));
    expect(await commandsOf(client)).toBeLessThan(40 * hits.length);
  });

  test("another kind of key becomes a counter with its next request, and the other keys of the call are counted", async () => {
    await client.set("kirak:rl:text", "1");
    await client.zadd("kirak:rl:set", 1, "1");
    await client.rpush("kirak:rl:list", "a", "b");
    const store = new RedisWindow(client);
    const hits = ["text", "before", "set", "list", "after"].map((key) => ({
      key,
      requests: 3,
      limit: { maxRequests: 2, windowSeconds: 100 },
    }));
    expect(await store.count(hits)).toEqual(hits.map(() => expect.objectContaining({ granted: 2, used: 2 })));
    for (const { key } of hits) expect(await client.pttl(`kirak:rl:${key}`)).toBeGreaterThan(90_000);
  });

  test("keys of other applications are not touched, and only keys of counters are listed", async () => {
    await client.set("kirak:blacklist:a", "1");
    await client.set("rl:a", "1");
    const store = new RedisWindow(client);
    expect((await store.list("", 1000)).map(({ key }) => key)).not.toContain("blacklist:a");
    expect(await store.reset("../blacklist:a")).toBe(false);
    expect(await client.exists("kirak:blacklist:a", "rl:a")).toBe(2);
  });
});
