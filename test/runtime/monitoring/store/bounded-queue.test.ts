import { expect, test } from "vitest";
import { Queue } from "#runtime/monitoring/store/bounded-queue";

const filled = (drops: "newest" | "oldest", ...items: number[]) => {
  const queue = new Queue<number>(3, drops);
  for (const item of items) queue.push(item);
  return queue;
};

test("a full queue drops the new item or the oldest, and counts it", () => {
  const newest = filled("newest", 1, 2, 3, 4, 5);
  const oldest = filled("oldest", 1, 2, 3, 4, 5);
  expect([newest.depth, newest.dropped, newest.take(9)]).toEqual([3, 2, [1, 2, 3]]);
  expect([oldest.depth, oldest.dropped, oldest.take(9)]).toEqual([3, 2, [3, 4, 5]]);
});

test("items that were taken count until they are written; items that are lost count as dropped", () => {
  const queue = filled("newest", 1, 2, 3);
  const taken = queue.take(2);
  queue.push(4);
  expect([queue.depth, queue.waiting, queue.dropped]).toEqual([3, 1, 1]);
  queue.done(taken);
  queue.push(5);
  queue.lost(queue.take(1));
  expect([queue.depth, queue.dropped, queue.take(9)]).toEqual([1, 2, [5]]);
});

test("items that are put back come first, and the oldest of them make room for what came since", () => {
  const newest = filled("newest", 1, 2, 3);
  newest.putBack(newest.take(2));
  expect(newest.take(9)).toEqual([1, 2, 3]);
  const oldest = filled("oldest", 1, 2, 3);
  const taken = oldest.take(3);
  for (const item of [4, 5]) oldest.push(item);
  expect([oldest.depth, oldest.dropped]).toEqual([3, 0]);
  oldest.putBack(taken);
  expect([oldest.depth, oldest.dropped, oldest.take(9)]).toEqual([3, 2, [3, 4, 5]]);
});
