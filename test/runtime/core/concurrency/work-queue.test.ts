import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { WorkQueue } from "#runtime/core/concurrency/work-queue";

/** Pieces of work that begin in the queue and end on the test's command. */
function works(queue: WorkQueue, count: number, signal?: AbortSignal) {
  const begun: number[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const results = Array.from({ length: count }, (_, at) =>
    queue.run(() => {
      begun.push(at);
      return new Promise<number>((resolve, reject) => {
        ends[at] = (error) => (error === undefined ? resolve(at) : reject(error));
      });
    }, signal),
  );
  return { begun, ends, results };
}

test("works on a few at once, in the order in which they came", async () => {
  const { begun, ends, results } = works(new WorkQueue(2), 5);
  expect(begun).toEqual([0, 1]);
  ends[1]?.();
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  ends[0]?.();
  ends[2]?.();
  await expect.poll(() => begun).toEqual([0, 1, 2, 3, 4]);
  ends[3]?.();
  ends[4]?.();
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3, 4]);
});

test("goes on behind work that fails", async () => {
  const queue = new WorkQueue(1);
  const { ends, results } = works(queue, 2);
  ends[0]?.(new Error("broken"));
  await expect(results[0]).rejects.toThrow("broken");
  await expect.poll(() => ends[1]).toBeDefined();
  ends[1]?.();
  expect(await results[1]).toBe(1);
  expect(await queue.run(async () => "free")).toBe("free");
});

test("refuses new work when its queue is full, and accepts the next when one has begun", async () => {
  const queue = new WorkQueue(1, { waiting: 1, whenFull: () => new Error("full") });
  const { begun, ends, results } = works(queue, 3);
  await expect(results[2]).rejects.toThrow("full");
  ends[0]?.();
  await expect.poll(() => begun).toEqual([0, 1]);
  const next = queue.run(async () => "next");
  ends[1]?.();
  expect(await next).toBe("next");
  expect(await Promise.all(results.slice(0, 2))).toEqual([0, 1]);
});

test("aborted work that has not begun gives up its place; running work goes on", async () => {
  const queue = new WorkQueue(1, { waiting: 2, whenFull: () => new Error("full") });
  const leaving = new AbortController();
  const { begun, ends, results } = works(queue, 2, leaving.signal);
  const staying = queue.run(async () => "staying");
  leaving.abort(new Error("gone"));
  await expect(results[1]).rejects.toThrow("gone");
  // Its place is free.
  const late = queue.run(async () => "late");
  ends[0]?.();
  expect(await Promise.all([results[0], staying, late])).toEqual([0, "staying", "late"]);
  expect(begun).toEqual([0]);
  expect(getEventListeners(leaving.signal, "abort")).toEqual([]);
});

test("work that was aborted in the queue is not begun, and finished work leaves no listener on the signal", async () => {
  const queue = new WorkQueue(1);
  await expect(queue.run(async () => "x", AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  const staying = new AbortController();
  const { ends, results } = works(queue, 2, staying.signal);
  ends[0]?.();
  await expect.poll(() => ends[1]).toBeDefined();
  expect(getEventListeners(staying.signal, "abort")).toEqual([]);
  ends[1]?.();
  expect(await Promise.all(results)).toEqual([0, 1]);
});

test("users take turns, and the work of each is done in its order", async () => {
  const queue = new WorkQueue(1);
  const begun: string[] = [];
  const give = (name: string, user: string) => queue.run(async () => void begun.push(name), undefined, user);
  await Promise.all([
    ...["a1", "a2", "a3", "a4"].map((name) => give(name, "a")),
    ...["b1", "b2"].map((name) => give(name, "b")),
    give("c1", "c"),
  ]);
  expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
});
