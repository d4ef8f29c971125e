import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BackgroundTasks, throttle } from "#runtime/core/concurrency/index";
import { silent } from "../../../support/silent-log.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

/** Work that notes when it begins, in milliseconds from now. */
function noted() {
  const start = Date.now();
  const begun: [name: string | number, at: number][] = [];
  const work = async (name: string | number) => void begun.push([name, Date.now() - start]);
  return { begun, work };
}

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

describe("paced", () => {
  test("lets go one by one, in order, evenly", async () => {
    const { begun, work } = noted();
    const send = throttle(work, 4);
    const all = Promise.all(times(5, (index) => send(index)));
    await vi.advanceTimersByTimeAsync(500);
    expect(begun).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(500);
    await all;
    expect(begun).toEqual(times(5, (index) => [index, index * 250]));
  });

  test.each([1, 3, 7, 10])("never more than %i in any second, whenever they come", async (max) => {
    const { begun, work } = noted();
    const send = throttle(work, max);
    for (let round = 0; round < 12; round++) {
      for (let count = 0; count < max; count++) void send(round);
      await vi.advanceTimersByTimeAsync(370);
    }
    await vi.advanceTimersByTimeAsync(20_000);
    expect(begun).toHaveLength(12 * max);
    for (const [, from] of begun)
      expect(begun.filter(([, at]) => at >= from && at < from + 1000).length).toBeLessThanOrEqual(max);
  });

  test("after a rest the next goes at once", async () => {
    const { begun, work } = noted();
    const send = throttle(work, 2);
    await send("a");
    await vi.advanceTimersByTimeAsync(10_000);
    await send("b");
    expect(begun).toEqual([
      ["a", 0],
      ["b", 10_000],
    ]);
  });

  test("without a bound nothing waits", async () => {
    const { begun, work } = noted();
    await Promise.all(times(100, throttle(work, null)));
    expect(begun).toHaveLength(100);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a failure rejects, and does not block the rest", async () => {
    const send = throttle(async (name: string) => {
      if (name === "bad") throw new Error("refused");
    }, 2);
    const outcomes = Promise.allSettled([send("bad"), send("good")]);
    await vi.advanceTimersByTimeAsync(500);
    expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });

  test("a call that would wait longer than half a minute is refused at once", async () => {
    const { begun, work } = noted();
    const send = throttle(work, 2);
    const taken = Promise.all(times(61, (index) => send(index)));
    await vi.advanceTimersByTimeAsync(0);
    await expect(send("too many")).rejects.toThrow("max_per_second is 2");
    await vi.advanceTimersByTimeAsync(30_000);
    await taken;
    expect(begun).toHaveLength(61);
  });
});

describe("a shutdown", () => {
  const tasks = (count: number, send: (index: number) => Promise<void>) => {
    const background = new BackgroundTasks(silent);
    for (let index = 0; index < count; index++) background.run("mail", () => send(index));
    return background;
  };

  test("waits for all queued work", async () => {
    const { begun, work } = noted();
    const drained = tasks(8, throttle(work, 2)).drain(60_000);
    await vi.advanceTimersByTimeAsync(0);
    // A task begins in a later turn of the loop, which no clock moves.
    while (begun.length < 8) {
      await new Promise((resolve) => setImmediate(resolve));
      await vi.advanceTimersByTimeAsync(500);
    }
    await drained;
    expect(begun).toHaveLength(8);
  });
});
