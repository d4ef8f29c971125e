import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type ReadName,
  type Reads,
  type RequestRecord,
  WorkerStore,
} from "#runtime/modules/monitoring/index";
import { median } from "../measure.ts";

const rows = 2_000_000;
const batchRows = 500;
const weekSeconds = 604_800;
const spanMs = 2 * weekSeconds * 1000;

/** How fast the store writes and answers with a million requests in a week, and what that does to the main thread. */
export async function storeFigures(folder: string): Promise<void> {
  // A store keeps no process alive.
  const held = setInterval(() => {}, 60_000);
  const log = { info: console.log, warn: console.log };
  const path = join(folder, "store.db");
  const store = new WorkerStore({ path, retentionDays: 30, maxDatabaseMb: 2_000, log });
  const end = Date.now();
  console.log("\nmonitoring, the store with a million requests in each of two weeks");
  await fill(store, end);
  const window = { now: end, windowSeconds: weekSeconds };
  await answering(store, "summary", window);
  await answering(store, "histogram", window);
  await answering(store, "routes", window);
  await answering(store, "timeseries", { ...window, bucketSeconds: 3_600 });
  await answering(store, "recent", { limit: 200, status: "5xx" });
  await answering(store, "trace", { requestId: randomUUID() });
  await eventLoopDelays(store, end);
  await store.close();
  clearInterval(held);
}

async function fill(store: WorkerStore, end: number): Promise<void> {
  const copying: number[] = [];
  let writingMs = 0;
  for (let index = 0; index < rows; index += batchRows) {
    const records = someRequests(end - spanMs + (index / rows) * spanMs, spanMs / rows);
    const started = performance.now();
    const written = store.write({ records, logs: [] });
    copying.push(performance.now() - started);
    await written;
    writingMs += performance.now() - started;
  }
  const size = Number(await store.read("size", {}));
  const perSecond = Math.round((rows / writingMs) * 1000);
  const batchMs = median(copying).toFixed(2);
  console.log(
    `  ${perSecond} requests written a second, ${Math.round(size / rows)} bytes each; a batch of ${batchRows} holds up the main thread for ${batchMs} ms`,
  );
}

async function answering<Name extends ReadName>(
  store: WorkerStore,
  name: Name,
  asked: Reads[Name]["args"],
): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 7; round++) {
    const started = performance.now();
    await store.read(name, asked);
    times.push(performance.now() - started);
  }
  console.log(`  ${name.padEnd(10)} ${median(times).toFixed(0)} ms`);
}

/** By turns with and without: what else the machine does is in both. */
async function eventLoopDelays(store: WorkerStore, end: number): Promise<void> {
  const delays = { without: [] as number[], with: [] as number[] };
  for (let round = 0; round < 5; round++) {
    delays.without.push(await delayDuring(() => sleep(2_000)));
    delays.with.push(await delayDuring(() => busy(store, end, Date.now() + 2_000)));
  }
  const [without, with_] = [median(delays.without), median(delays.with)];
  console.log(
    `  event loop, p99 of its delay: ${without.toFixed(2)} ms at rest, ${with_.toFixed(2)} ms while the worker writes, removes and answers`,
  );
}

async function busy(store: WorkerStore, end: number, until: number): Promise<void> {
  const window = { now: end, windowSeconds: weekSeconds };
  // Older than what is kept: removed with each tenth batch. Made once, as requests make theirs one by one.
  const batch = { records: someRequests(end - 4 * spanMs, 1), logs: [] };
  while (Date.now() < until) {
    await store.write(batch);
    await store.read("summary", window);
    await sleep(20);
  }
}

/** 99th percentile, in milliseconds beyond the resolution of the timer that measures it. */
async function delayDuring(work: () => Promise<unknown>): Promise<number> {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  await work();
  histogram.disable();
  return histogram.percentile(99) / 1e6 - 1;
}

function someRequests(begin: number, apartMs: number): RequestRecord[] {
  return Array.from({ length: batchRows }, (_, index) => ({
    kind: "request",
    requestId: randomUUID(),
    at: begin + index * apartMs,
    method: "GET",
    route: `/model${index % 40}/fetch`,
    model: `model${index % 40}`,
    operation: "fetch",
    status: index % 50 === 0 ? 500 : 200,
    durationMs: Math.exp(Math.random() * 8) / 10,
    bytes: 1_234,
    userId: "b7281323-1111-4222-8333-475e79ba0000",
    role: "user",
    errorCode: null,
    steps: index % 20 === 0 ? steps : null,
    failure: null,
  }));
}

const steps: RequestRecord["steps"] = {
  names: ["auth", "limit", "validate", "sql", "serialize"],
  times: [0.1, 0.5, 0.6, 0.2, 0.9, 0.1, 1.2, 2.2, 3.5, 0.1],
};
