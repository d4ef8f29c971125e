import { beforeAll, expect, it } from "vitest";
import type { JobRun } from "#runtime/jobs/index";
import { eventually } from "../../support/eventually.ts";
import { proxyTo, type TestProxy } from "../../support/proxy.ts";
import { runnable, type TestQueue, type TestWorker, testQueue } from "../../support/queue.ts";

let queue: TestQueue;
let proxy: TestProxy;

beforeAll(async () => {
  queue = await testQueue();
  proxy = await proxyTo(queue.url);
});

const stopMs = 5_000;
const jobs = "kirak_jobs._private_jobs";
const rowsOf = async (name: string) => (await queue.rows()).filter((row) => row["name"] === name);

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

/** As when whoever has a job was taken to be gone. */
const free = (id: string, runAt: string) =>
  queue.query(`update ${jobs} set locked_by = null, locked_at = null, run_at = $2 where id = $1`, [
    id,
    runAt,
  ]);

/** Says what any graphile-worker says that migrates tables of its own in this database, until a worker hears it. */
const giveUp = (worker: TestWorker) =>
  eventually(async () => {
    await queue.query(`select pg_notify('worker:migrate', '{"breaking": true, "migrationNumber": 99}')`);
    expect(JSON.stringify(worker.log)).toContain("breaking migration");
  });

it("a worker goes on to take jobs where its library gives up, whose jobs go on too, and whose code of an exit is none of ours", async () => {
  const long = lasting("long");
  const worker = queue.work([long.job, runnable("short")]);
  await queue.send("long");
  await long.begun(1);
  await giveUp(worker);
  await queue.send("short");
  await eventually(async () => expect(await rowsOf("short")).toEqual([]));
  expect(process.exitCode).toBeUndefined();
  expect(long.runs[0]?.run.signal.aborted).toBe(false);
  long.runs[0]?.end();
  await eventually(async () => expect(await rowsOf("long")).toEqual([]));
  await worker.stop(stopMs);
  expect(long.runs).toHaveLength(1);
});

it("a worker that goes on so gives back all jobs at its stop, those of before too", async () => {
  const long = lasting("given back");
  const worker = queue.work([long.job], { concurrency: 2 });
  await queue.send("given back");
  await long.begun(1);
  await giveUp(worker);
  await queue.send("given back");
  await long.begun(2);
  await worker.stop(0);
  expect(long.runs.map(({ run }) => run.signal.reason.message)).toEqual(Array(2).fill("this process stops"));
  expect(await rowsOf("given back")).toMatchObject(Array(2).fill({ attempts: 0, running: false }));
  await queue.query(`delete from ${jobs}`);
});

it.each([
  ["done", "delete", []],
  ["failed", "update", [{ attempts: 1, last_error: "not today", running: false, later: true }]],
])("that a job is %s is told once more where the database refuses it at first", async (name, what, left) => {
  const long = lasting(name);
  const worker = queue.work([long.job, runnable("beside")], { concurrency: 1 });
  const id = await queue.send(name);
  await long.begun(1);
  await queue.query(`create function refuse() returns trigger language plpgsql as $$begin raise 'away'; end$$;
    create trigger refuse before ${what} on ${jobs} for each row when (old.id = ${id}) execute function refuse()`);
  if (name === "done") long.runs[0]?.end();
  else long.runs[0]?.fail();
  await eventually(() =>
    expect(worker.log).toContainEqual(
      expect.objectContaining({
        msg: "the queue is told of the end of a job once more",
        err: expect.objectContaining({ message: "away" }),
      }),
    ),
  );
  expect(await rowsOf(name)).toMatchObject([{ running: true }]);
  await queue.query(`drop trigger refuse on ${jobs}; drop function refuse`);
  await eventually(async () => expect((await rowsOf(name)).some(({ running }) => running)).toBe(false));
  expect(await rowsOf(name)).toMatchObject(left);
  await queue.send("beside");
  await eventually(async () => expect(await rowsOf("beside")).toEqual([]));
  await worker.stop(stopMs);
  expect(long.runs).toHaveLength(1);
});

it("a run is aborted before another worker can have its job, where the database is silent", async () => {
  const rhythm = { beatMs: 100, silentMs: 1_500 };
  const [first, second] = [lasting("cut off"), lasting("cut off")];
  const cutOff = queue.work([first.job], { rhythm, url: proxy.url });
  await queue.send("cut off", {}, { queue: "of those cut off" });
  await first.begun(1);
  const other = queue.work([second.job], { rhythm });
  const { signal } = first.runs[0]?.run ?? {};
  const order: string[] = [];
  signal?.addEventListener("abort", () => order.push(signal.reason.message));
  await eventually(async () => expect(await queue.query("select from kirak_jobs.workers")).toHaveLength(2));
  proxy.freeze();
  await second.begun(1);
  order.push("is run by another");
  expect(order).toEqual(["the job was lost: the database was not reached for too long", "is run by another"]);
  proxy.mend();
  // It takes jobs again, and has nothing said of the one that it lost.
  await eventually(async () =>
    expect(
      await queue.query("select from kirak_jobs.workers where seen_at > now() - interval '1 s'"),
    ).toHaveLength(2),
  );
  expect(await rowsOf("cut off")).toMatchObject([
    { attempts: 2, running: true, last_error: expect.stringContaining("gone") },
  ]);
  second.runs[0]?.end();
  await eventually(async () => expect(await rowsOf("cut off")).toEqual([]));
  await Promise.all([cutOff.stop(stopMs), other.stop(stopMs)]);
  expect([first.runs.length, second.runs.length]).toEqual([1, 1]);
});

it.each(["end", "fail"] as const)(
  "what was taken from a worker meanwhile is as its key's next enqueue left it, however its run did %s",
  async (how) => {
    const name = `replaced ${how}`;
    const long = lasting(name);
    const worker = queue.work([long.job]);
    const id = await queue.send(name, { n: 1 }, { key: "one" });
    await long.begun(1);
    const runAt = "2999-01-01T00:00:00Z";
    await free(id, runAt);
    expect(await queue.send(name, { n: 2 }, { key: "one", runAt })).toBe(id);
    long.runs[0]?.[how]();
    await worker.stop(stopMs);
    expect(await rowsOf(name)).toMatchObject([{ id, payload: { n: 2 }, attempts: 0, last_error: null }]);
    await queue.query(`delete from ${jobs}`);
  },
);

it("a job that a worker takes again while it runs there is not run beside itself", async () => {
  const long = lasting("again");
  const worker = queue.work([long.job]);
  const id = await queue.send("again");
  await long.begun(1);
  await free(id, "2000-01-01");
  await long.begun(2);
  expect(long.runs[0]?.run.signal.reason).toMatchObject({ name: "JobLost" });
  expect(long.runs[1]?.run).toMatchObject({ id, attempt: 2 });
  expect(long.runs[1]?.run.signal.aborted).toBe(false);
  expect(await rowsOf("again")).toMatchObject([{ running: true }]);
  long.runs[1]?.end();
  await eventually(async () => expect(await rowsOf("again")).toEqual([]));
  await worker.stop(stopMs);
});

it("a run is told that its worker stops before another one can have its job", async () => {
  const long = lasting("told");
  const worker = queue.work([long.job]);
  const id = await queue.send("told");
  await long.begun(1);
  await queue.database.transaction(async (transaction) => {
    await transaction.run({ name: null, text: `select id::text from ${jobs} where id = $1 for update` }, [
      id,
    ]);
    const stopped = worker.stop(0);
    await eventually(() => expect(long.runs[0]?.run.signal.aborted).toBe(true));
    void stopped;
  });
  await worker.stop(0);
  expect(await rowsOf("told")).toMatchObject([{ attempts: 0, running: false }]);
});
