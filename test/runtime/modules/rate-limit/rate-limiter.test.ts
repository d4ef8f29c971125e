import pino from "pino";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Count, CounterStore, Hit, Quota } from "#runtime/modules/rate-limit/index";
import { RateLimiter } from "#runtime/modules/rate-limit/rate-limiter";

const limit = { maxRequests: 60, windowSeconds: 10 };

/** A call to the store that completes on the test's command. */
interface HeldCall {
  readonly hits: readonly Hit[];
  /** As a store in which nothing was counted before. */
  answer(): void;
  fail(error?: unknown): void;
}

function heldStore() {
  const calls: HeldCall[] = [];
  let underWay = 0;
  const state = { mostUnderWay: 0 };
  const nothing = () => Promise.reject(new Error("not for a limiter"));
  const store: CounterStore = {
    count(hits) {
      state.mostUnderWay = Math.max(state.mostUnderWay, ++underWay);
      const answered = new Promise<readonly Count[]>((resolve, reject) => {
        const fail = (error: unknown = new Error("the store is down")) => reject(error);
        calls.push({ hits, answer: () => resolve(hits.map(countOf)), fail });
      });
      return answered.finally(() => underWay--);
    },
    list: nothing,
    find: nothing,
    reset: nothing,
  };
  return { store, calls, state };
}

function countOf({ requests, limit: { maxRequests, windowSeconds } }: Hit): Count {
  const granted = Math.min(requests, maxRequests);
  return { granted, used: granted, resetAt: (1000 + windowSeconds) * 1000, now: 1_000_000 };
}

/** A limiter over a store that a test answers for. */
function held() {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const { store, calls, state } = heldStore();
  const limiter = new RateLimiter(store, log, 300);
  const take = (key: string) => {
    const one: { quota: Quota | null | undefined } = { quota: undefined };
    void limiter.take(key, limit).then((quota) => {
      one.quota = quota;
    });
    return one;
  };
  return {
    calls,
    limiter,
    state,
    messages: () => lines.map(({ level, msg }) => `${level} ${String(msg)}`),
    lines,
    /** Its quota is undefined while it waits. */
    take,
    takeAll: (keys: readonly string[]) => keys.map(take),
    /** The call with this index, as soon as it is made. */
    call: async (index: number) => {
      await pass(0);
      const found = calls[index];
      if (found === undefined) throw new Error(`there is no call ${index}`);
      return found;
    },
  };
}

const keys = (count: number, name = "key") => Array.from({ length: count }, (_, index) => `${name}:${index}`);
const quotas = (taken: readonly { quota: Quota | null | undefined }[]) => taken.map(({ quota }) => quota);
const down = "40 rate limits cannot be counted: requests pass unlimited";
const up = "30 rate limits are counted again";

/** Lets time pass, and all that follows from it happen. */
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await new Promise((resolve) => setImmediate(resolve));
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

describe("one call at a time", () => {
  test("concurrent requests go together, and those that arrive meanwhile go into the next call", async () => {
    const { takeAll, call, calls, state } = held();
    const first = takeAll(keys(100));
    const one = await call(0);
    expect(one.hits).toEqual(keys(100).map((key) => ({ key, requests: 1, limit })));
    const second = [...takeAll(keys(100)), ...takeAll(keys(50, "other"))];
    await pass(100);
    expect([calls.length, ...new Set(quotas([...first, ...second]))]).toEqual([1, undefined]);
    one.answer();
    const two = await call(1);
    expect(quotas(first)).not.toContain(undefined);
    expect(new Set(quotas(second))).toEqual(new Set([undefined]));
    expect(two.hits).toHaveLength(150);
    two.answer();
    await pass(0);
    expect(quotas(second)).not.toContain(undefined);
    expect([calls.length, state.mostUnderWay]).toEqual([2, 1]);
  });

  test("each of those that were counted together gets the number that was left after it", async () => {
    const { takeAll, call } = held();
    const taken = takeAll(Array<string>(100).fill("key"));
    const one = await call(0);
    expect(one.hits).toEqual([{ key: "key", requests: 100, limit }]);
    one.answer();
    await pass(0);
    const passed = Array.from({ length: 60 }, (_, position) => ({
      maxRequests: 60,
      remaining: 59 - position,
      reset: 1010,
      retryAfter: null,
    }));
    const refused = { maxRequests: 60, remaining: 0, reset: 1010, retryAfter: 10 };
    expect(quotas(taken)).toEqual([...passed, ...Array(40).fill(refused)]);
  });

  test("of more than 500 keys each goes into one of several calls", async () => {
    const { takeAll, call, calls, state } = held();
    const taken = takeAll([...keys(1201), ...keys(1201)]);
    for (let index = 0; index < 3; index++) (await call(index)).answer();
    await pass(0);
    expect(calls.map(({ hits }) => hits.length)).toEqual([500, 500, 201]);
    expect(calls.flatMap(({ hits }) => hits.map(({ key }) => key))).toEqual(keys(1201));
    expect(new Set(quotas(taken).map((quota) => quota?.remaining))).toEqual(new Set([59, 58]));
    expect(state.mostUnderWay).toBe(1);
  });

  test("a key that comes in again while more than 500 wait stays one", async () => {
    const { takeAll, take, call } = held();
    takeAll(keys(900));
    const one = await call(0);
    const again = [take("key:899"), take("key:0")];
    one.answer();
    const two = await call(1);
    expect(two.hits.slice(-2)).toEqual([
      { key: "key:899", requests: 2, limit },
      { key: "key:0", requests: 1, limit },
    ]);
    two.answer();
    await pass(0);
    expect(quotas(again).map((quota) => quota?.remaining)).toEqual([58, 59]);
  });
});

describe("with a store that rejects", () => {
  test("everything that waits passes, whether it was asked for or not", async () => {
    const { takeAll, call, messages, lines, limiter } = held();
    const first = takeAll(keys(600));
    const one = await call(0);
    const second = takeAll(keys(10, "other"));
    one.fail(new Error("the store is down"));
    await pass(0);
    expect(new Set(quotas([...first, ...second]))).toEqual(new Set([null]));
    expect(messages()).toEqual([down]);
    expect(lines[0]).toMatchObject({ reason: "the store is down" });
    expect(limiter.uncounted).toBe(610);
    takeAll(keys(5));
    expect(limiter.uncounted).toBe(615);
  });

  test("later requests pass at once; one trial a second, and one line for the outage and for its end", async () => {
    const { take, takeAll, call, calls, messages, state } = held();
    take("key");
    (await call(0)).fail();
    for (let second = 1; second <= 5; second++) {
      await pass(999);
      const early = takeAll(keys(20));
      await pass(0);
      expect([calls.length, new Set(quotas(early))]).toEqual([second, new Set([null])]);
      await pass(1);
      const late = takeAll(keys(20));
      const trial = await call(second);
      expect(new Set(quotas(late))).toEqual(new Set([null]));
      expect(trial.hits).toEqual([{ key: "key:0", limit, requests: 1 }]);
      trial.fail();
      await pass(0);
    }
    expect(messages()).toEqual([down]);
    await pass(1000);
    expect(await soon(take("key"))).toBeNull();
    (await call(6)).answer();
    await pass(0);
    expect(messages()).toEqual([down, up]);
    const counted = take("key");
    (await call(7)).answer();
    expect(await soon(counted)).toMatchObject({ remaining: 59 });
    expect([calls.length, state.mostUnderWay]).toEqual([8, 1]);
  });

  test("another outage is logged again", async () => {
    const { take, call, messages } = held();
    for (let index = 0; index < 6; index += 2) {
      take("key");
      (await call(index)).fail();
      await pass(1000);
      take("key");
      (await call(index + 1)).answer();
      await pass(0);
    }
    expect(messages()).toEqual([down, up, down, up, down, up]);
  });

  test("a failed store gets no call until a request needs it", async () => {
    const { take, call, calls } = held();
    take("key");
    (await call(0)).fail();
    await pass(60_000);
    expect(calls).toHaveLength(1);
  });

  test.each([["text"], [null], [{ code: 1 }]])("for any reason of the rejection: %j", async (reason) => {
    const { take, call, messages } = held();
    const one = take("key");
    (await call(0)).fail(reason);
    expect(await soon(one)).toBeNull();
    expect(messages()).toEqual([down]);
  });

  test("the log holds neither keys nor other fields of an error", async () => {
    const { take, call, lines } = held();
    take("auth:login:email:someone@private.example");
    const command = { args: ["someone@private.example"] };
    (await call(0)).fail(Object.assign(new Error("no"), { command, detail: "someone@private.example" }));
    await pass(0);
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toContain("private");
  });

  test("an answer that lacks a counter lets its requests pass", async () => {
    const { store } = heldStore();
    const limiter = new RateLimiter(
      { ...store, count: () => Promise.resolve([]) },
      pino({ level: "silent" }),
      300,
    );
    expect(await limiter.take("key", limit)).toBeNull();
  });
});

describe("with a store that does not answer", () => {
  test("a request waits 300 ms for it, and those after it do not", async () => {
    const { take, call, messages } = held();
    const first = take("key");
    await call(0);
    await pass(299);
    const second = take("other");
    await pass(0);
    expect(quotas([first, second])).toEqual([undefined, undefined]);
    await pass(1);
    expect(quotas([first, second])).toEqual([null, null]);
    for (let count = 0; count < 10; count++) expect(await soon(take("key"))).toBeNull();
    expect(messages()).toEqual([down]);
  });

  test("no other call is made while one is under way, however long that takes", async () => {
    const { take, call, calls, state, messages } = held();
    take("key");
    const one = await call(0);
    for (let second = 0; second < 8; second++) {
      await pass(1000);
      expect(await soon(take("key"))).toBeNull();
    }
    expect(calls).toHaveLength(1);
    one.answer();
    await pass(0);
    expect(messages()).toEqual([down]);
    expect(await soon(take("key"))).toBeNull();
    expect([calls.length, state.mostUnderWay]).toEqual([2, 1]);
  });

  test("a trial that is answered late does not end the outage, one that is in time does", async () => {
    const { take, call, messages } = held();
    take("key");
    (await call(0)).fail();
    for (let trial = 1; trial <= 3; trial++) {
      await pass(1000);
      take("key");
      const one = await call(trial);
      await pass(300);
      one.answer();
      await pass(0);
      expect(messages()).toEqual([down]);
      expect(await soon(take("key"))).toBeNull();
    }
    await pass(1000);
    take("key");
    const one = await call(4);
    await pass(299);
    one.answer();
    await pass(0);
    expect(messages()).toEqual([down, up]);
  });

  test("no timer is left behind a call that was answered", async () => {
    const { take, call } = held();
    take("key");
    (await call(0)).answer();
    await pass(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});

/** The quota of a request that has nothing to wait for. */
async function soon(taken: { quota: Quota | null | undefined }): Promise<Quota | null | undefined> {
  await pass(0);
  return taken.quota;
}
