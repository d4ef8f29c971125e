import { randomBytes } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { connectCache } from "#runtime/cache/index";
import { createDatabase, type Queryable } from "#runtime/database/index";
import { type CounterStore, connectCounters, PostgresWindow, RedisWindow } from "#runtime/rate-limit/index";
import { service } from "../../http/fixture/generated/index.ts";
import { testClock } from "../../support/clock.ts";
import { serviceDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { hasRedis, testRedis } from "../../support/redis.ts";
import { silent } from "../../support/silent-log.ts";

const limit = { maxRequests: 100, windowSeconds: 60 };
const batches = 60;
/** Counters of one call, as many as a call has at most. */
const atOnce = 500;

/** E-mails and addresses that nobody has used before. */
const randomHits = () =>
  Array.from({ length: atOnce }, (_, index) => {
    const random = randomBytes(8).toString("hex");
    const key = index % 2 === 0 ? `auth:login:email:${random}@example.org` : `auth:login:ip:${random}`;
    return { key, requests: 1, limit };
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

  test("go in steps, and stay while their window lasts", async () => {
    await query(`DELETE FROM kirak_rate_limits;
      INSERT INTO kirak_rate_limits (key, count, max_requests, window_seconds, expires_at)
      SELECT 'old:' || i, 1, 1, 1, now() - i * interval '1 second' FROM generate_series(1, 2200) AS i`);
    const removed: unknown[] = [];
    const watched: Queryable = {
      async run(statement, values) {
        const answer = await database.run(statement, values);
        if (statement.name?.startsWith("kirak_expired")) removed.push(Number(answer[0]?.[0]));
        return answer;
      },
    };
    const store = new PostgresWindow({ database: watched, log: silent });
    await store.count(randomHits());
    await eventually(async () => {
      await store.count([{ key: "again", requests: 1, limit }]);
      expect(removed).toEqual([500, 500, 500, 500, 200]);
    });
    expect(await rows()).toBe(atOnce + 1);
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
    await store.count([{ key: "first", requests: 1, limit }]);
    expect(isRemoving).toBe(true);
    await store.count([{ key: "second", requests: 1, limit }]);
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
