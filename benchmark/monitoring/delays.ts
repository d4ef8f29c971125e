import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type RequestRecord, WorkerStore } from "#runtime/modules/monitoring/index";
import { ask, measure, median, type RunningServer, stopServer } from "../measure.ts";
import { scenarios } from "../scenarios.ts";
import type { CostsOptions } from "./costs.ts";

const rowsKept = 1_000_000;
const rounds = 5;
const seconds = 3;
/** Requests in a second: a loop that is busy all the time is late by itself. */
const rate = 200;
const dayMs = 86_400_000;

/**
 * How long the event loop is held up while rows are asked for: without monitoring, while a worker writes, and while it also
 * answers summaries over a million rows, one after the other.
 */
export async function compareDelays({ start, course, folder }: CostsOptions): Promise<void> {
  const path = join(folder, "delays.db");
  await fill(path);
  const off = await start("off", "kirak");
  const on = await start("on", "kirak", { BENCHMARK_METRICS: path, BENCHMARK_SAMPLE_RATE: "1" });
  const kinds = [
    { name: "without monitoring", server: off, reads: false },
    { name: "while the worker writes", server: on, reads: false },
    { name: "while it also answers summaries of a week", server: on, reads: true },
  ];
  const delays = new Map<string, number[]>(kinds.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const { name, server, reads } of kinds)
      delays.get(name)?.push(await delayOf(server, reads, course.token));
  console.log(`\nevent loop with ${rowsKept.toLocaleString("en")} requests in the store, delay p99`);
  for (const [name, all] of delays) console.log(`  ${name.padEnd(42)} ${median(all).toFixed(2)} ms`);
  await Promise.all([off, on].map(stopServer));
}

async function delayOf(server: RunningServer, reads: boolean, token: string): Promise<number> {
  const [scenario] = scenarios;
  if (scenario === undefined) return Number.NaN;
  await ask(server, "watch");
  let isOver = false;
  const reading = (async () => {
    while (reads && !isOver) await readSummary(server);
  })();
  await measure(server, scenario, { seconds, token, rate });
  isOver = true;
  await reading;
  return (await ask<{ p99Ms: number }>(server, "delay")).p99Ms;
}

async function readSummary({ port }: RunningServer): Promise<void> {
  // As `servers/bookshop.ts` has it.
  const authorization = "Bearer the-ingestion-key-of-the-benchmark";
  const address = `http://127.0.0.1:${port}/monitoring/summary?window_seconds=604800`;
  const answer = await fetch(address, { headers: { authorization } });
  if (!answer.ok) throw new Error(`a summary was refused: ${await answer.text()}`);
  await answer.text();
}

/** Requests of a week, written as the service writes them. */
async function fill(path: string): Promise<void> {
  const tree = join(process.cwd(), "var", "benchmark", "dist");
  const program = pathToFileURL(
    join(tree, "runtime", "modules", "monitoring", "worker", "monitoring-worker.js"),
  );
  const log = { info() {}, warn: (message: string) => console.log(`  ${message}`) };
  const store = new WorkerStore({ path, retentionDays: 7, maxDatabaseMb: 1_000, log, program });
  const batch = 5_000;
  const now = Date.now();
  for (let written = 0; written < rowsKept; written += batch)
    await store.write({
      records: Array.from({ length: batch }, (_, n) => oldRequest(written + n, now)),
      logs: [],
    });
  await store.close();
}

function oldRequest(n: number, now: number): RequestRecord {
  return {
    kind: "request",
    requestId: `old-${n}`,
    at: now - 6 * dayMs + Math.floor((n / rowsKept) * 6 * dayMs),
    method: "GET",
    route: `/authors/${n % 20}`,
    model: "authors",
    operation: "fetch",
    status: n % 50 === 0 ? 500 : 200,
    durationMs: (n * 7919) % 300,
    bytes: 300,
    userId: null,
    role: "guest",
    errorCode: null,
    steps: null,
    failure: null,
  };
}
