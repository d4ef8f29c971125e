import { expect, test } from "vitest";
import { ImageQueue } from "../../../../runtime/storage/images/image-queue.ts";

/** Pieces of work that begin in the queue and end when the test says so. */
function works(queue: ImageQueue, count: number) {
  const begun: number[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const results = Array.from({ length: count }, (_, at) =>
    queue.run(() => {
      begun.push(at);
      return new Promise<number>((resolve, reject) => {
        ends[at] = (error) => (error === undefined ? resolve(at) : reject(error));
      });
    }),
  );
  return { begun, ends, results };
}

test("works on a few at once, in the order in which they came", async () => {
  const { begun, ends, results } = works(new ImageQueue(2), 5);
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
  const queue = new ImageQueue(1);
  const { ends, results } = works(queue, 2);
  ends[0]?.(new Error("broken"));
  await expect(results[0]).rejects.toThrow("broken");
  await expect.poll(() => ends[1]).toBeDefined();
  ends[1]?.();
  expect(await results[1]).toBe(1);
  expect(await queue.run(async () => "free")).toBe("free");
});
