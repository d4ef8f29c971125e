import { describe, expect, test } from "vitest";
import { bytesOfLog } from "#runtime/monitoring/logs/log-record";
import { NewestQueue } from "#runtime/monitoring/logs/newest-queue";
import { unpacked } from "#runtime/monitoring/records/record-reader";
import { BoundedQueue } from "#runtime/monitoring/store/bounded-queue";
import { RecordQueue, type RecordSlice } from "#runtime/monitoring/store/record-queue";
import { requestRecord } from "../../../support/monitoring-store.ts";

/** A request that wrote rows one by one. */
const names = Array.from({ length: 1_000 }, () => "sql");
const times = Array.from({ length: 2_000 }, (_, index) => index / 4);
const heavy = requestRecord({ steps: { names, times } });
const heavyBytes = 24_000;
const longLine = {
  at: 0,
  level: "warn",
  message: "m".repeat(8_000),
  requestId: null,
  fields: "f".repeat(16_000),
};
const megabyte = 1024 * 1024;

function sliced(queue: RecordQueue): RecordSlice[] {
  const slices: RecordSlice[] = [];
  for (let slice = queue.take(); slice !== null; slice = queue.take()) slices.push(slice);
  return slices;
}

describe("records", () => {
  test("are bounded by what they take together, and what comes then is dropped and counted", () => {
    const queue = new RecordQueue(10_000);
    for (let count = 0; count < 10_000; count++) queue.push(heavy);
    expect(queue.depth * heavyBytes).toBeLessThan(42 * megabyte);
    expect(queue.depth).toBeGreaterThan(1_000);
    expect(queue.depth + queue.dropped).toBe(10_000);
    const slices = sliced(queue);
    expect(slices.flatMap(({ packed }) => unpacked(packed)).at(-1)).toEqual(heavy);
    const { depth, dropped } = queue;
    const lost = slices.splice(0, 1);
    for (const slice of slices) queue.done(slice);
    for (const slice of lost) queue.lost(slice);
    expect([depth, queue.depth, queue.dropped]).toEqual([
      10_000 - dropped,
      0,
      dropped + lost.reduce(countOf, 0),
    ]);
    for (let count = 0; count < 1_000; count++) queue.push(heavy);
    expect(queue.depth).toBe(1_000);
  });

  test("that are usual fill a queue to its number", () => {
    const queue = new RecordQueue(10_000);
    const usual = requestRecord({ steps: { names: names.slice(0, 20), times: times.slice(0, 40) } });
    for (let count = 0; count < 10_001; count++) queue.push(usual);
    expect([queue.depth, queue.dropped]).toEqual([10_000, 1]);
  });

  test("are taken in slices that are small: none holds up whoever copies it", () => {
    const queue = new RecordQueue(10_000);
    for (let count = 0; count < 100; count++) queue.push(heavy);
    for (let count = 0; count < 1_200; count++) queue.push(requestRecord());
    const slices = sliced(queue);
    for (const { packed } of slices) {
      expect(packed.count).toBeLessThanOrEqual(500);
      expect(packed.numbers.byteLength).toBeLessThan(300_000);
    }
    expect(slices.reduce(countOf, 0)).toBe(1_300);
  });

  test("a queue of one holds the largest", () => {
    const queue = new RecordQueue(1);
    queue.push(heavy);
    queue.push(heavy);
    expect([queue.depth, queue.dropped]).toEqual([1, 1]);
  });

  test("say that they are half full by what they take, too", () => {
    const queue = new RecordQueue(10_000);
    let told = 0;
    queue.onHalfFull = () => told++;
    while (told === 0 && queue.dropped === 0) queue.push(heavy);
    expect([told, queue.dropped]).toEqual([1, 0]);
    expect(queue.depth).toBeLessThan(1_000);
  });
});

const countOf = (sum: number, { packed }: RecordSlice) => sum + packed.count;

test("lines of the log that wait to be written are bounded by their length, too", () => {
  const queue = new BoundedQueue(5_000, bytesOfLog);
  for (let count = 0; count < 5_000; count++) queue.push(longLine);
  expect(queue.depth * bytesOfLog(longLine)).toBeLessThan(21 * megabyte);
  expect([queue.depth > 300, queue.depth + queue.dropped]).toEqual([true, 5_000]);
  const before = queue.depth;
  const lines = queue.take();
  expect(lines.length * bytesOfLog(longLine)).toBeLessThan(megabyte / 2);
  queue.putBack(lines);
  expect(queue.depth).toBe(before);
  for (let taken = queue.take(); taken.length > 0; taken = queue.take()) queue.done(taken);
  expect(queue.depth).toBe(0);
  queue.push(longLine);
  expect(queue.depth).toBe(1);
});

test("of those that wait to be sent the oldest make room, by their length, too", () => {
  const queue = new NewestQueue(5_000, bytesOfLog);
  const line = (number: number) => ({ ...longLine, at: number });
  for (let number = 0; number < 5_000; number++) queue.push(line(number));
  expect([queue.waiting > 300, queue.waiting < 600, queue.waiting + queue.dropped]).toEqual([
    true,
    true,
    5_000,
  ]);
  const { waiting } = queue;
  const taken = queue.take((_, count) => count < 10);
  expect(taken.map(({ at }) => at)).toEqual(
    Array.from({ length: 10 }, (_, index) => 5_000 - waiting + index),
  );
  for (let number = 5_000; number < 5_005; number++) queue.push(line(number));
  expect(queue.waiting).toBe(waiting - 5);
  queue.putBack(taken);
  expect([queue.waiting, queue.take(() => true).at(-1)?.at]).toEqual([waiting, 5_004]);
});
