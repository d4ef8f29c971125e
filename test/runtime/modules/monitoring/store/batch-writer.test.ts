import { afterEach, expect, test } from "vitest";
import type { Batch } from "#runtime/modules/monitoring/records/messages";
import type { LogRecord, MonitoringRecord } from "#runtime/modules/monitoring/records/monitoring-records";
import { BatchWriter } from "#runtime/modules/monitoring/store/batch-writer";
import { BoundedQueue } from "#runtime/modules/monitoring/store/bounded-queue";
import { StoreBusy } from "#runtime/modules/monitoring/store/worker-store";
import { eventually } from "../../../../support/eventually.ts";
import { requestRecord } from "../../../../support/monitoring-store.ts";

const opened: BatchWriter[] = [];
afterEach(async () => {
  for (const writer of opened.splice(0)) await writer.close(0);
});

/** A writer, and a store whose result for each batch the test sets. */
function start({ max = 10_000, intervalSeconds = 3_600, write = async (_: Batch) => {} } = {}) {
  const records = new BoundedQueue<MonitoringRecord>(max);
  const logs = new BoundedQueue<LogRecord>(max);
  const batches: Batch[] = [];
  const store = {
    write(batch: Batch) {
      batches.push(batch);
      return write(batch);
    },
    read: () => Promise.reject(new Error("not asked for")),
    close: async () => {},
  };
  const writer = new BatchWriter({ store, records, logs, intervalSeconds });
  opened.push(writer);
  return { writer, records, logs, batches };
}

const request = (index: number) => requestRecord({ requestId: `r-${index}`, at: 0 });
const log = (message: string): LogRecord => ({
  at: 0,
  level: "warn",
  message,
  requestId: null,
  fields: "{}",
});
const fill = (queue: BoundedQueue<MonitoringRecord>, count: number) => {
  for (let index = 0; index < count; index++) queue.push(request(index));
};

test("all that waits is written in order, in slices, each when the one before was", async () => {
  let underWay = 0;
  const { writer, records, logs, batches } = start({
    async write() {
      expect(++underWay).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      underWay--;
    },
  });
  fill(records, 1_800);
  logs.push(log("one"));
  await writer.flush();
  const written = batches.flatMap((batch) => batch.records);
  expect(written).toEqual(Array.from({ length: 1_800 }, (_, index) => request(index)));
  expect(Math.max(...batches.map((batch) => batch.records.length))).toBeLessThanOrEqual(250);
  expect(batches.flatMap((batch) => batch.logs)).toEqual([log("one")]);
  expect([records.depth, records.dropped, logs.depth]).toEqual([0, 0, 0]);
});

test("each interval", async () => {
  const { records, batches } = start({ intervalSeconds: 0.01 });
  records.push(request(1));
  await eventually(() => expect(batches).toHaveLength(1));
  records.push(request(2));
  await eventually(() => expect(batches).toHaveLength(2));
});

test("whenever a queue is half full, though not in the call that made it so", async () => {
  const { records, logs, batches } = start({ max: 10 });
  fill(records, 4);
  await new Promise((resolve) => setImmediate(resolve));
  expect(batches).toHaveLength(0);
  fill(records, 1);
  expect(batches).toHaveLength(0);
  await eventually(() => expect(records.depth).toBe(0));
  for (const message of ["1", "2", "3", "4", "5"]) logs.push(log(message));
  await eventually(() => expect(logs.depth).toBe(0));
  expect(batches.map((batch) => [batch.records.length, batch.logs.length])).toEqual([
    [5, 0],
    [0, 5],
  ]);
});

test("nothing is written where nothing waits", async () => {
  const { writer, batches } = start();
  await writer.flush();
  expect(batches).toEqual([]);
});

test("records in flight count as waiting: a full queue drops new ones", async () => {
  let end = () => {};
  const { writer, records } = start({
    max: 4,
    write: () =>
      new Promise((resolve) => {
        end = resolve;
      }),
  });
  fill(records, 4);
  const flushed = writer.flush();
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  fill(records, 2);
  expect([records.depth, records.dropped]).toEqual([4, 2]);
  end();
  await flushed;
  expect([records.depth, records.dropped]).toEqual([0, 2]);
});

test("records that a store refuses are lost and counted, and the rest is written", async () => {
  let turn = 0;
  const { writer, records, logs } = start({
    async write() {
      if (turn++ === 0) throw new Error("no");
    },
  });
  fill(records, 600);
  logs.push(log("lost with them"));
  await writer.flush();
  expect([records.dropped, logs.dropped, records.depth, logs.depth]).toEqual([250, 1, 0, 0]);
});

test("records that a busy store cannot take now are written later, in the same order", async () => {
  let busy = true;
  const { writer, records, batches } = start({
    async write() {
      if (busy) throw new StoreBusy("held");
    },
  });
  fill(records, 3);
  await writer.flush();
  records.push(request(3));
  expect([records.depth, records.dropped]).toEqual([4, 0]);
  busy = false;
  await writer.flush();
  expect(batches.slice(1).flatMap((batch) => batch.records)).toEqual([0, 1, 2, 3].map(request));
  expect([records.depth, records.dropped]).toEqual([0, 0]);
});

test("while a store is busy, new records do not make a full queue retry: the next interval does", async () => {
  let busy = true;
  const { records, batches } = start({
    max: 10,
    intervalSeconds: 0.2,
    async write() {
      if (busy) throw new StoreBusy("held");
    },
  });
  fill(records, 5);
  await eventually(() => expect(batches.length).toBeGreaterThan(0));
  const tries = batches.length;
  for (let turn = 0; turn < 20; turn++) {
    fill(records, 1);
    for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(batches.length - tries).toBeLessThanOrEqual(2);
  busy = false;
  await eventually(() => expect(records.depth).toBe(0));
});

test("closing writes all waiting records, including those that arrived at the end of a flush", async () => {
  const { writer, records, batches } = start();
  fill(records, 3);
  void writer.flush();
  fill(records, 1_200);
  await writer.close(5_000);
  expect(batches.flatMap((batch) => batch.records)).toHaveLength(1_203);
  expect(records.depth).toBe(0);
});

test("closing waits no longer than it may for a store that does not answer", async () => {
  const { writer, records } = start({ write: () => new Promise(() => {}) });
  fill(records, 3);
  await writer.close(10);
  expect(records.depth).toBe(3);
});

test("closing does not wait for a busy store: records that it does not take are lost", async () => {
  const { writer, records } = start({ write: () => Promise.reject(new StoreBusy("held")) });
  fill(records, 3);
  await writer.close(5_000);
  expect([records.depth, records.dropped]).toEqual([0, 3]);
});

const filled = (drops: "newest" | "oldest", ...items: number[]) => {
  const queue = new BoundedQueue<number>(3, drops);
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

test("items that are put back come first, and the oldest of them are dropped for newer ones", () => {
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
