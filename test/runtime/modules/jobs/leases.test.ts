import { fork } from "node:child_process";
import { once } from "node:events";
import { beforeEach, describe, expect, it } from "vitest";
import type { JobRun } from "#runtime/modules/jobs/index";
import { compiled } from "../../../support/compiled.ts";
import { eventually } from "../../../support/eventually.ts";
import { proxyTo } from "../../../support/proxy.ts";
import { runnable, type TestQueue, testQueue } from "../../../support/queue.ts";

let queue: TestQueue;

beforeEach(async () => {
  queue = await testQueue();
});

const stopMs = 5_000;
const timing = { renewMs: 40, leaseMs: 400 };
const jobs = "kirak_jobs.jobs";
const recorded = "cannot record the result of a job: retrying";
const program = compiled(new URL("work-in-process.ts", import.meta.url));
const gone = async () => expect(await queue.rows()).toEqual([]);

/** A job whose runs last until the test ends them. */
function lasting(name: string) {
  const runs: { readonly run: JobRun; readonly end: () => void; readonly fail: () => void }[] = [];
  const run = (run: JobRun) =>
    new Promise<void>((resolve, reject) =>
      runs.push({ run, end: resolve, fail: () => reject(new Error("not today")) }),
    );
  const begun = (count: number) => eventually(() => expect(runs).toHaveLength(count));
  return { job: runnable(name, { run }), runs, begun };
}

/** The state after the worker of a job was declared dead. */
const free = (id: string, runAt: string) =>
  queue.query(`update ${jobs} set lease = null, worker = null, run_at = $2 where id = $1`, [id, runAt]);

/** A job that a worker has taken, which was last heard of so long ago. */
async function taken(name: string, worker: string, seen: string, more = {}) {
  const id = await queue.send(name, {}, more);
  await queue.query(`update ${jobs} set worker = $1, lease = gen_random_uuid(), attempts = 1 where id = $2`, [
    worker,
    id,
  ]);
  await queue.query(
    `insert into kirak_jobs.workers values ($1, now() + $2::interval) on conflict do nothing`,
    [worker, seen],
  );
}

describe("a worker that is gone", () => {
  it("loses its jobs to the others, also those of a queue: the attempt counts, and after the last one the job is dead", async () => {
    await taken("gone", "killed", "-60 s", { queue: "of the killed" });
    await taken("gone for good", "killed", "-60 s", { attempts: 1 });
    await taken("busy", "busy", "1 h");
    const attempts: number[] = [];
    const run = async ({ attempt }: JobRun) => void attempts.push(attempt);
    const known = [runnable("gone", { run }), runnable("gone for good"), runnable("busy", { run })];
    const worker = queue.work(known, { timing });
    await eventually(() => expect(attempts).toEqual([2]));
    await worker.stop(stopMs);
    expect(await queue.rows()).toMatchObject([
      { name: "gone for good", attempts: 1, running: false, last_error: "the process that ran it is gone" },
      { name: "busy", attempts: 1, running: true },
    ]);
    const told = worker.log.filter(({ job, msg }) => job !== undefined && msg !== "job");
    expect(told.toSorted((a, b) => Number(a["level"]) - Number(b["level"]))).toMatchObject([
      { job: "gone", level: 40, attempt: 1, msg: "a job waits again: the process that ran it is gone" },
      { job: "gone for good", level: 50, msg: "a job is dead: the process of its last attempt is gone" },
    ]);
  });

  it("is not one that works on a job for longer than a lease lasts", async () => {
    const long = lasting("long");
    const workers = [queue.work([long.job], { timing }), queue.work([long.job], { timing })];
    await queue.atWork(2);
    await queue.send("long");
    await long.begun(1);
    const renewed = "select from kirak_jobs.workers where seen_at > $1::timestamptz + interval '1.2 s'";
    const [{ now } = {}] = await queue.query("select now()");
    await eventually(async () => expect(await queue.query(renewed, [now])).toHaveLength(2));
    long.runs[0]?.end();
    await eventually(gone);
    await Promise.all(workers.map((worker) => worker.stop(stopMs)));
    expect(long.runs).toHaveLength(1);
    expect(long.runs[0]?.run.signal.aborted).toBe(false);
  });

  it("because it was killed loses no job: each runs at least once, however often workers are killed", async () => {
    await queue.query("create table ran (job text)");
    const work = async () => {
      const child = fork(program, [queue.url]);
      await once(child, "message");
      return child;
    };
    for (let job = 0; job < 60; job++) await queue.send("noted", job, job % 3 === 0 ? { queue: "line" } : {});
    const id = await queue.send("endless", {}, { queue: "line", attempts: 2 });
    for (let kills = 0; kills < 3; kills++) {
      const child = await work();
      for (let more = Math.floor(Math.random() * 15); more > 0; more--) await once(child, "message");
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    const note = (run: JobRun) =>
      queue.database
        .run({ name: null, text: "insert into ran values ($1)" }, [String(run.payload)])
        .then(() => {});
    const worker = queue.work([runnable("noted", { run: note }), runnable("endless")], { timing });
    const left = async () =>
      (await queue.rows()).filter(({ attempts, max_attempts }) => Number(attempts) < Number(max_attempts));
    await eventually(async () => expect(await left()).toEqual([]));
    await worker.stop(stopMs);
    expect(await queue.query("select count(distinct job)::int as jobs from ran")).toEqual([{ jobs: 60 }]);
    for (const row of await queue.rows()) expect(row).toMatchObject({ id, attempts: 2, running: false });
  });
});

it.each([
  ["done", "delete", []],
  ["failed", "update", [{ attempts: 1, last_error: "not today", running: false, later: true }]],
])("that a job is %s is recorded again if the database refuses it at first", async (name, what, left) => {
  const long = lasting(name);
  const ran: unknown[] = [];
  const worker = queue.work([long.job, runnable("other", { run: async () => void ran.push(1) })], {
    concurrency: 1,
  });
  const id = await queue.send(name);
  await long.begun(1);
  await queue.query(`create function refuse() returns trigger language plpgsql as $$begin raise 'away'; end$$;
    create trigger refuse before ${what} on ${jobs} for each row when (old.id = ${id}) execute function refuse()`);
  if (name === "done") long.runs[0]?.end();
  else long.runs[0]?.fail();
  const line = expect.objectContaining({ msg: recorded, err: expect.objectContaining({ message: "away" }) });
  await eventually(() => expect(worker.log).toContainEqual(line));
  expect(await queue.rows()).toMatchObject([{ running: true }]);
  await queue.query(`drop trigger refuse on ${jobs}; drop function refuse`);
  await queue.send("other");
  await eventually(() => expect(ran).toEqual([1]));
  await worker.stop(stopMs);
  expect(await queue.rows()).toMatchObject(left);
  expect(long.runs).toHaveLength(1);
});

it("a run is aborted before another worker can have its job, if the database is silent", async () => {
  const timing = { renewMs: 100, leaseMs: 1_500 };
  const proxy = await proxyTo(queue.url);
  const [first, second] = [lasting("cut off"), lasting("cut off")];
  const cutOff = queue.work([first.job], { timing, url: proxy.url });
  await queue.send("cut off", {}, { queue: "of those cut off" });
  await first.begun(1);
  const other = queue.work([second.job], { timing });
  const { signal } = first.runs[0]?.run ?? {};
  const order: string[] = [];
  signal?.addEventListener("abort", () => order.push(signal.reason.message));
  await queue.atWork(2);
  proxy.freeze();
  await second.begun(1);
  order.push("is run by another");
  expect(order).toEqual([
    "the lease was lost: the database was unreachable for too long",
    "is run by another",
  ]);
  proxy.mend();
  // It takes jobs again under another id, and records nothing of the one that it lost.
  const alive = "select from kirak_jobs.workers where seen_at > now() - interval '1 s'";
  await eventually(async () => expect(await queue.query(alive)).toHaveLength(2));
  expect(await queue.rows()).toMatchObject([
    { attempts: 2, running: true, last_error: expect.stringContaining("gone") },
  ]);
  second.runs[0]?.end();
  await eventually(gone);
  await Promise.all([cutOff.stop(stopMs), other.stop(stopMs)]);
  expect([first.runs.length, second.runs.length]).toEqual([1, 1]);
});

it.each(["end", "fail"] as const)(
  "a job that was taken from a worker meanwhile is as its key's next enqueue left it, however its run did %s",
  async (how) => {
    const long = lasting("replaced");
    const worker = queue.work([long.job]);
    const id = await queue.send("replaced", { n: 1 }, { key: "one" });
    await long.begun(1);
    const runAt = "2999-01-01T00:00:00Z";
    await free(id, runAt);
    expect(await queue.send("replaced", { n: 2 }, { key: "one", runAt })).toBe(id);
    long.runs[0]?.[how]();
    await worker.stop(stopMs);
    expect(await queue.rows()).toMatchObject([{ id, payload: { n: 2 }, attempts: 0, last_error: null }]);
  },
);

it("a job that a worker takes again while it runs there ends its first run, which has no effect on the second", async () => {
  const long = lasting("again");
  const worker = queue.work([long.job]);
  const id = await queue.send("again");
  await long.begun(1);
  await free(id, "2000-01-01");
  await long.begun(2);
  expect(long.runs[0]?.run.signal.reason).toMatchObject({ name: "JobLost" });
  long.runs[0]?.end();
  expect(long.runs[1]?.run).toMatchObject({ id, attempt: 2, signal: { aborted: false } });
  expect(await queue.rows()).toMatchObject([{ running: true }]);
  long.runs[1]?.end();
  await eventually(gone);
  await worker.stop(stopMs);
});

it("a running job receives the stop signal of its worker before another worker can take it", async () => {
  const long = lasting("told");
  const worker = queue.work([long.job]);
  const id = await queue.send("told");
  await long.begun(1);
  await queue.database.transaction(async (transaction) => {
    await transaction.run({ name: null, text: `select id::text from ${jobs} where id = $1 for update` }, [
      id,
    ]);
    void worker.stop(0);
    await eventually(() => expect(worker.log).toContainEqual(expect.objectContaining({ msg: recorded })));
    expect(long.runs[0]?.run.signal.aborted).toBe(true);
  });
  await worker.stop(0);
  expect(await queue.rows()).toMatchObject([{ attempts: 0, running: false }]);
});

it("a worker stops while the database is silent, and leaves no connection that keeps its process from ending", async () => {
  const sockets = () => process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
  const proxy = await proxyTo(queue.url);
  const before = sockets();
  const worker = queue.work([runnable("none")], { url: proxy.url });
  await queue.atWork(1);
  const listening = `select from pg_stat_activity where datname = current_database() and query like 'listen %'`;
  await eventually(async () => expect(await queue.query(listening)).toHaveLength(1));
  // Each of its connections is three sockets here: two of them are the proxy's, and stay.
  const ofWorker = (sockets() - before) / 3;
  proxy.freeze();
  const stopped = performance.now();
  await worker.stop(0);
  expect(performance.now() - stopped).toBeLessThan(15_000);
  await eventually(() => expect(sockets()).toBeLessThanOrEqual(before + 2 * ofWorker));
});
