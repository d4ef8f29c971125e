import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CounterStore, Limit } from "#runtime/modules/rate-limit/index";
import { testClock } from "../../../support/clock.ts";
import { testStores } from "../../../support/limited-service.ts";

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

  test("a clock that is set back lets no caller exceed the limit", async () => {
    const clock = testClock();
    const store = open(clock.now);
    const key = newKey();
    await take(store, key, 5);
    clock.pass(-3600);
    expect(await take(store, key)).toMatchObject({ granted: 0 });
  });

  test("a clock that was set back blocks no caller for longer than a window", async () => {
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

  test("a clock that is set back a little only moves later requests", async () => {
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

  test("by the store's own clock the window begins now", async () => {
    const store = open(null);
    const { now, resetAt } = await take(store, newKey());
    expect(Math.abs(now - Date.now())).toBeLessThan(5_000);
    expect(resetAt - now).toBe(10_000);
  });

  test("exactly the limit passes, for any number of concurrent requests", async () => {
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

/** One hit, so many milliseconds after the one before. */
interface Step {
  readonly wait: number;
  readonly key: number;
  readonly requests: number;
  readonly limit: Limit;
}

interface Granted {
  readonly granted: number;
  readonly used: number;
  readonly resetAt: number;
}

/** A window in its plainest form. */
interface Model {
  take(now: number, requests: number, limit: Limit): Granted;
  /** What administrators see; null where nothing is counted. */
  shown(now: number): Granted | null;
}

/** A list of the moments of all requests that were let through. */
function slidingLog(): Model {
  let log: number[] = [];
  let window = 0;
  const left = (now: number) => log.filter((moment) => moment > now - window);
  return {
    take(now, requests, { maxRequests, windowSeconds }) {
      window = windowSeconds * 1000;
      log = left(now);
      const granted = Math.max(0, Math.min(requests, maxRequests - log.length));
      log.push(...Array<number>(granted).fill(now));
      return { granted, used: log.length, resetAt: (log[0] ?? now) + window };
    },
    shown(now) {
      const [oldest, ...more] = left(now);
      return oldest === undefined ? null : { granted: 0, used: more.length + 1, resetAt: oldest + window };
    },
  };
}

/**
 * A number that restarts when its window is over. It keeps the last refusal: a raised limit lets fewer of
 * that window's requests through than it could, never more.
 */
function fixedWindow(): Model {
  let counted = 0;
  let end = 0;
  let max = 0;
  return {
    take(now, requests, { maxRequests, windowSeconds }) {
      const until = now + windowSeconds * 1000;
      const before = now >= end ? 0 : Math.min(counted, maxRequests);
      end = now >= end ? until : Math.min(end, until);
      counted = before + requests;
      max = maxRequests;
      return { granted: Math.min(requests, max - before), used: Math.min(counted, max), resetAt: end };
    },
    shown: (now) => (now >= end ? null : { granted: 0, used: Math.min(counted, max), resetAt: end }),
  };
}

const limits = (maxRequests: number) =>
  fc.record({
    maxRequests: fc.integer({ min: 1, max: maxRequests }),
    windowSeconds: fc.integer({ min: 1, max: 5 }),
  });

/** Pauses in which nothing, something or all leaves the windows, and the edges of these. */
const waits = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(0, 1, 999, 1000, 1001, 2000, 5000) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 700 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 12_000 }) },
);

const keyCount = 3;

function steps(
  limit: fc.Arbitrary<Limit>,
  mostRequests: number,
  wait: fc.Arbitrary<number> = waits,
): fc.Arbitrary<Step[]> {
  return fc.array(
    fc.record({
      wait,
      key: fc.nat({ max: keyCount - 1 }),
      requests: fc.integer({ min: 1, max: mostRequests }),
      limit,
    }),
    { minLength: 1, maxLength: 40, size: "max" },
  );
}

/** Most sequences keep one limit; in some it changes at any time. */
const anySteps = fc.oneof(
  limits(8).chain((limit) => steps(fc.constant(limit), 6)),
  steps(limits(8), 6),
);

/** Of a limit above a thousand requests: what the moments of requests are rounded to, in milliseconds. */
const stepOf = ({ windowSeconds }: Limit) => windowSeconds;

let run = 0;

describe.each(stores)("$name", ({ open, isSliding }) => {
  test("answers as a plain model of its window does", async () => {
    await fc.assert(
      fc.asyncProperty(anySteps, async (sequence) => {
        // Whole milliseconds, after any earlier clock readings.
        let now = 1_800_000_000_000 + run * 7;
        const name = `model:${++run}`;
        const store = open(() => now);
        const models = Array.from({ length: keyCount }, isSliding ? slidingLog : fixedWindow);
        for (const { wait, key, requests, limit } of sequence) {
          now += wait;
          const [count] = await store.count([{ key: `${name}:${key}`, requests, limit }]);
          expect(count).toEqual({ ...models[key]?.take(now, requests, limit), now });
        }
        const shown = await store.list(`${name}:`, 10);
        const expected = models.flatMap((model, key) => {
          const one = model.shown(now);
          return one === null ? [] : [{ key: `${name}:${key}`, count: one.used, resetAt: one.resetAt }];
        });
        expect(shown.map(({ key, count, resetAt }) => ({ key, count, resetAt }))).toEqual(expected);
      }),
      { seed: 6, numRuns: 150 },
    );
  }, 60_000);
});

describe.each(stores.filter(({ isSliding }) => isSliding))("$name with large limits", ({ open }) => {
  const large = fc.record({
    maxRequests: fc.integer({ min: 1001, max: 5000 }),
    windowSeconds: fc.integer({ min: 1, max: 20 }),
  });

  /** Several requests of one step, and then the moments at which they leave the window. */
  const crowded = (limit: Limit) => {
    const window = limit.windowSeconds * 1000;
    const step = stepOf(limit);
    const wait = fc.oneof(
      { weight: 6, arbitrary: fc.nat({ max: step }) },
      { weight: 3, arbitrary: fc.integer({ min: window - 3 * step, max: window + step }) },
      { weight: 1, arbitrary: fc.nat({ max: window }) },
    );
    return steps(fc.constant(limit), Math.ceil(limit.maxRequests / 2), wait);
  };

  test("never more than the limit in any window, and no caller is blocked for a step too long", async () => {
    await fc.assert(
      fc.asyncProperty(large.chain(crowded), async (sequence) => {
        let now = 1_800_000_000_000 + run * 7;
        const name = `large:${++run}`;
        const store = open(() => now);
        const log: { at: number; granted: number }[] = [];
        for (const { wait, requests, limit } of sequence) {
          now += wait;
          const { maxRequests } = limit;
          const window = limit.windowSeconds * 1000;
          const step = stepOf(limit);
          const since = (begin: number) =>
            log.filter(({ at }) => at > begin).reduce((sum, { granted }) => sum + granted, 0);
          const [count] = await store.count([{ key: name, requests, limit }]);
          const granted = count?.granted ?? 0;
          expect(since(now - window) + granted).toBeLessThanOrEqual(maxRequests);
          // Requests that left the window at least one step ago do not block a caller.
          const free = Math.max(0, maxRequests - since(now - window - step));
          expect(granted).toBeGreaterThanOrEqual(Math.min(requests, free));
          log.push({ at: now, granted });
        }
      }),
      { seed: 6, numRuns: 150 },
    );
  }, 60_000);
});
