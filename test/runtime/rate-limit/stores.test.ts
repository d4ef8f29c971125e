import { describe, expect, test } from "vitest";
import type { CounterStore } from "#runtime/rate-limit/index";
import { testClock } from "../../support/clock.ts";
import { testStores } from "../../support/counters.ts";

const stores = await testStores();
const limit = { maxRequests: 5, windowSeconds: 10 };
let made = 0;
/** A key that no other test has. */
const newKey = () => `crud:things:fetch:ip:10.0.0.${++made}`;

async function take(store: CounterStore, key: string, requests = 1, own = limit) {
  const [count] = await store.count([{ key, requests, limit: own }]);
  if (count === undefined) throw new Error("no count");
  return count;
}

describe.each(stores)("$name", ({ open, isSliding }) => {
  test("lets through as many as the limit says, and tells how many there are and until when", async () => {
    const clock = testClock();
    const store = open(clock.now);
    const key = newKey();
    const start = clock.now();
    for (let used = 1; used <= 5; used++)
      expect(await take(store, key)).toEqual({ granted: 1, used, resetAt: start + 10_000, now: start });
    expect(await take(store, key)).toEqual({ granted: 0, used: 5, resetAt: start + 10_000, now: start });
  });

  test("grants a part of the requests that come together", async () => {
    const store = open(testClock().now);
    const key = newKey();
    expect(await take(store, key, 3)).toMatchObject({ granted: 3, used: 3 });
    expect(await take(store, key, 4)).toMatchObject({ granted: 2, used: 5 });
    expect(await take(store, key, 4)).toMatchObject({ granted: 0, used: 5 });
  });

  test("counts each key by itself, and answers in the order of the hits", async () => {
    const store = open(testClock().now);
    const [a, b] = [newKey(), newKey()];
    await take(store, b, 4);
    const hits = [b, a].map((key, index) => ({ key, requests: 2 + index, limit }));
    expect(await store.count(hits)).toMatchObject([
      { granted: 1, used: 5 },
      { granted: 3, used: 3 },
    ]);
  });

  test("the window ends a millisecond after its last one, not before", async () => {
    const clock = testClock();
    const store = open(clock.now);
    const key = newKey();
    await take(store, key, 5);
    clock.pass(9.999);
    expect(await take(store, key)).toMatchObject({ granted: 0, used: 5 });
    clock.pass(0.001);
    expect(await take(store, key)).toMatchObject({ granted: 1, used: 1, resetAt: clock.now() + 10_000 });
  });

  test("what was refused keeps nobody out of the next window", async () => {
    const clock = testClock();
    const store = open(clock.now);
    const key = newKey();
    await take(store, key, 5);
    for (let n = 0; n < 20; n++) await take(store, key, 3);
    clock.pass(10);
    expect(await take(store, key, 9)).toMatchObject({ granted: 5, used: 5 });
  });

  test(
    isSliding ? "requests leave the window one by one" : "all requests leave the window together",
    async () => {
      const clock = testClock();
      const store = open(clock.now);
      const key = newKey();
      const start = clock.now();
      for (let n = 0; n < 5; n++) {
        await take(store, key);
        clock.pass(1);
      }
      // 5 s after the first one: what is granted at each second from then on.
      const granted: number[] = [];
      for (let second = 5; second < 15; second++) {
        granted.push((await take(store, key, 9)).granted);
        clock.pass(1);
      }
      expect(granted).toEqual(isSliding ? [0, 0, 0, 0, 0, 1, 1, 1, 1, 1] : [0, 0, 0, 0, 0, 5, 0, 0, 0, 0]);
      expect(await take(store, key)).toMatchObject({
        granted: 0,
        resetAt: start + (isSliding ? 20_000 : 20_000),
      });
    },
  );

  test("a clock that is set back lets nobody through", async () => {
    const clock = testClock();
    const store = open(clock.now);
    const key = newKey();
    await take(store, key, 5);
    clock.pass(-3600);
    expect(await take(store, key)).toMatchObject({ granted: 0 });
  });

  test("a clock that was set back keeps nobody out for longer than a window", async () => {
    const clock = testClock();
    const store = open(clock.now);
    const key = newKey();
    clock.pass(86_400);
    await take(store, key, 2);
    clock.pass(1);
    await take(store, key, 1);
    clock.pass(-86_401);
    expect(await store.find(key)).toMatchObject({ count: 3 });
    expect(await take(store, key, 1)).toMatchObject({ granted: 1, used: 4, resetAt: clock.now() + 10_000 });
    clock.pass(5);
    expect(await take(store, key, 2)).toMatchObject({ granted: 1, used: 5, resetAt: clock.now() + 5_000 });
    clock.pass(5);
    expect((await take(store, key, 9)).granted).toBe(isSliding ? 4 : 5);
  });

  test("a clock that is set back a little moves only what came later", async () => {
    const clock = testClock();
    const store = open(clock.now);
    const key = newKey();
    for (let n = 0; n < 4; n++) {
      await take(store, key);
      clock.pass(1);
    }
    // Back to between the second and the third one.
    clock.pass(-2.5);
    expect(await take(store, key, 2)).toMatchObject({ granted: 1, used: 5 });
    clock.pass(8.499);
    expect(await take(store, key, 9)).toMatchObject({ granted: 0 });
    clock.pass(0.001);
    expect((await take(store, key, 9)).granted).toBe(isSliding ? 1 : 5);
    clock.pass(1.5);
    expect((await take(store, key, 9)).granted).toBe(isSliding ? 4 : 0);
  });

  test("another limit is in force at once", async () => {
    const clock = testClock();
    const store = open(clock.now);
    const key = newKey();
    await take(store, key, 5);
    clock.pass(1);
    expect(await take(store, key, 9, { maxRequests: 7, windowSeconds: 10 })).toMatchObject({ granted: 2 });
    expect(await take(store, key, 1, { maxRequests: 2, windowSeconds: 10 })).toMatchObject({ granted: 0 });
    expect(await store.find(key)).toMatchObject({ maxRequests: 2, windowSeconds: 10 });
    const short = { maxRequests: 7, windowSeconds: 2 };
    await take(store, key, 1, short);
    clock.pass(2);
    expect(await take(store, key, 9, short)).toMatchObject({ granted: 7 });
  });

  test("of a large limit exactly as many pass, and none too early", async () => {
    const clock = testClock();
    const store = open(clock.now);
    const key = newKey();
    const large = { maxRequests: 5_000, windowSeconds: 10 };
    for (let n = 0; n < 50; n++) {
      expect(await take(store, key, 100, large)).toMatchObject({ granted: 100 });
      clock.pass(0.013);
    }
    expect(await take(store, key, 1, large)).toMatchObject({ granted: 0, used: 5_000 });
    clock.pass(10 - 50 * 0.013 - 0.001);
    expect(await take(store, key, 100, large)).toMatchObject({ granted: 0 });
    clock.pass(0.011);
    expect((await take(store, key, 5_000, large)).granted).toBe(isSliding ? 100 : 5_000);
  });

  test("by the store's own clock the window begins now", async () => {
    const store = open(null);
    const { now, resetAt } = await take(store, newKey());
    expect(Math.abs(now - Date.now())).toBeLessThan(5_000);
    expect(resetAt - now).toBe(10_000);
  });

  test("exactly as many pass as the limit says, however many come at once", async () => {
    const store = open(null);
    const key = newKey();
    const counts = await Promise.all(
      Array.from({ length: 60 }, () => take(store, key, 1, { maxRequests: 12, windowSeconds: 60 })),
    );
    expect(counts.filter(({ granted }) => granted === 1)).toHaveLength(12);
  });

  test("batches with the same keys in other orders do not wait for each other in a circle", async () => {
    const store = open(null);
    const keys = Array.from({ length: 30 }, newKey);
    const batches = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? keys : keys.toReversed()));
    await Promise.all(batches.map((batch) => store.count(batch.map((key) => ({ key, requests: 1, limit })))));
    for (const key of keys) expect(await store.find(key)).toMatchObject({ count: 5 });
  });

  test("shows a counter until it is reset or its window is over", async () => {
    const clock = testClock();
    const store = open(clock.now);
    const key = newKey();
    expect(await store.find(key)).toBeNull();
    await take(store, key, 9);
    const counter = { key, count: 5, maxRequests: 5, windowSeconds: 10, resetAt: clock.now() + 10_000 };
    expect(await store.find(key)).toEqual(counter);
    expect(await store.list(key, 10)).toEqual([counter]);
    expect(await store.reset(key)).toBe(true);
    expect(await store.reset(key)).toBe(false);
    expect(await store.find(key)).toBeNull();
    expect(await take(store, key)).toMatchObject({ granted: 1, used: 1 });
    clock.pass(10);
    expect(await store.find(key)).toBeNull();
    expect(await store.list(key, 10)).toEqual([]);
  });

  test("lists by a prefix that is taken literally, in the order of the keys", async () => {
    const store = open(testClock().now);
    const keys = ["a*b", "a[b", "a?b", "a\\b", "a_b", "a%b", "aXb", "ä:b", "a-b"].map(
      (text) => `list:${text}`,
    );
    await store.count(keys.map((key) => ({ key, requests: 1, limit })));
    const names = async (prefix: string, most = 100) =>
      (await store.list(prefix, most)).map(({ key }) => key);
    expect(await names("list:")).toEqual(keys.toSorted());
    for (const key of keys) expect(await names(key)).toEqual([key]);
    expect(await names("list:a", 3)).toHaveLength(3);
    expect(await names("list:*")).toEqual([]);
  });
});
