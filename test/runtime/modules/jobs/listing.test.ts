import { beforeAll, expect, it } from "vitest";
import {
  figuresForMonitoring,
  listJobs,
  queueFigures,
  removeJob,
  retryJob,
} from "#runtime/modules/jobs/index";
import { metricsText } from "#runtime/modules/monitoring/metrics/metrics-text";
import { RequestMetrics } from "#runtime/modules/monitoring/metrics/request-metrics";
import { readOpenMetrics, sampleValue } from "../../../support/open-metrics.ts";
import { type TestQueue, testQueue } from "../../../support/queue.ts";

let queue: TestQueue;
const ids: Record<string, string> = {};

beforeAll(async () => {
  queue = await testQueue();
  for (const state of ["due", "later", "running", "dead"])
    ids[state] = await queue.send(state, { secret: "topsecret" }, { queue: "line", key: `k ${state}` });
  const change = (state: string, text: string) =>
    queue.query(`update kirak_jobs.jobs set ${text} where id = $1`, [ids[state]]);
  await change("due", "run_at = now() - interval '90 s'");
  await change("later", "run_at = '2999-01-01T00:00:00Z'");
  await change("running", "worker = 'w', lease = gen_random_uuid(), attempts = 1");
  await change("dead", "attempts = 10, last_error = 'no answer from ann@example.org'");
});

const idOf = (state: string) => ids[state] ?? "";

it("jobs are listed by state, with nothing of their payloads, and errors masked", async () => {
  const jobs = await listJobs(queue.database);
  const shared = { queue: "line", attempts: 0, max_attempts: 10, error: null };
  expect(jobs).toMatchObject([
    { id: idOf("dead"), name: "dead", state: "dead", attempts: 10, key: "k dead", queue: "line" },
    { id: idOf("running"), name: "running", state: "running", attempts: 1 },
    { ...shared, id: idOf("due"), state: "waiting", key: "k due" },
    { ...shared, id: idOf("later"), state: "waiting", run_at: "2999-01-01T00:00:00.000Z" },
  ]);
  expect(jobs[0]?.error).toMatch(/^no answer from/);
  expect(JSON.stringify(jobs)).not.toMatch(/topsecret|ann@example/);
});

it("monitoring counts them by one statement per scrape, and reports the age of the oldest waiting job", async () => {
  let asked = 0;
  const counting = {
    run: (...sent: Parameters<typeof queue.database.run>) => {
      asked++;
      return queue.database.run(...sent);
    },
  };
  const measurable = { depth: 0, dropped: 0 };
  const sources = {
    requests: new RequestMetrics(),
    queues: { records: measurable, logs: measurable, shipping: measurable },
    connections: () => ({ idle: 0, used: 0, waiting: 0 }),
    uncounted: () => 0,
    accountEvents: () => new Map(),
  };
  const families = readOpenMetrics(await metricsText({ ...sources, jobs: figuresForMonitoring(counting) })());
  const count = (state: string) => sampleValue(families, "kirak_jobs", { state });
  expect([count("waiting"), count("running"), count("dead")]).toEqual([2, 1, 1]);
  expect(sampleValue(families, "kirak_job_oldest_seconds")).toBeGreaterThan(89);
  expect(asked).toBe(1);
  const broken = { run: () => Promise.reject(new Error("down")) };
  const without = await metricsText({ ...sources, jobs: figuresForMonitoring(broken) })();
  expect(sampleValue(readOpenMetrics(without), "kirak_jobs", { state: "dead" })).toBeUndefined();
});

it("one that waits or is dead can be retried and removed, one that runs and one that is not there cannot", async () => {
  const outcomes = async (change: typeof retryJob) => [
    await change(queue.database, idOf("dead")),
    await change(queue.database, idOf("running")),
    await change(queue.database, "999999"),
  ];
  expect(await outcomes(retryJob)).toEqual(["done", "running", "unknown"]);
  expect(await queueFigures(queue.database)).toMatchObject({ waiting: 3, running: 1, dead: 0 });
  const [dead] = (await queue.rows()).filter(({ id }) => id === ids["dead"]);
  expect(dead).toMatchObject({ attempts: 0, later: false });
  expect(await outcomes(removeJob)).toEqual(["done", "running", "unknown"]);
  expect(await queueFigures(queue.database)).toMatchObject({ waiting: 2, running: 1, dead: 0 });
});
