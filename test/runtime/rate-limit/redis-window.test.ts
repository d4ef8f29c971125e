import { Redis } from "ioredis";
import { afterAll, describe, expect, test } from "vitest";
import { RedisWindow } from "#runtime/rate-limit/index";
import { testClock } from "../../support/clock.ts";
import { hasRedis, testRedis } from "../../support/redis.ts";

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

  test("what is no counter becomes one with its next request, and the others of the call are counted", async () => {
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

  test("no key of somebody else is touched, and only keys of counters are listed", async () => {
    await client.set("kirak:blacklist:a", "1");
    await client.set("rl:a", "1");
    const store = new RedisWindow(client);
    expect((await store.list("", 1000)).map(({ key }) => key)).not.toContain("blacklist:a");
    expect(await store.reset("../blacklist:a")).toBe(false);
    expect(await client.exists("kirak:blacklist:a", "rl:a")).toBe(2);
  });
});
