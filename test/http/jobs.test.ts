import { expect, test } from "vitest";
import { BackgroundTasks } from "#runtime/core/concurrency/index";
import type { JobContext } from "#runtime/hooks/context/index";
import { defineJob, enqueue, prepareQueue } from "#runtime/modules/jobs/index";
import { startServiceWorker } from "#runtime/process/job-worker";
import { eventually } from "../support/eventually.ts";
import { record } from "../support/scenarios-hooked.ts";
import { testService } from "../support/service.ts";
import { silent } from "../support/silent-log.ts";
import { service as fixture } from "./fixture/generated/index.ts";

let code: (context: JobContext) => Promise<unknown> = async () => {};
const probe = defineJob({ payload: { type: "object" }, attempts: 1, run: (_, context) => code(context) });
const jobs = { ...fixture.jobs, probe };
const service = await testService({}, { served: { ...fixture, jobs } });
await prepareQueue(service.url, silent);

/** Has a worker run this code as a job; gives what it gives, or rejects as it does, when all of it is over. */
async function inJob<Value>(run: (context: JobContext) => Promise<Value>): Promise<Value | undefined> {
  const ran: { value?: Value; failures: unknown[]; isOver?: true } = { failures: [] };
  code = async (context) => {
    try {
      ran.value = await run(context);
    } catch (error) {
      ran.failures.push(error);
      throw error;
    } finally {
      ran.isOver = true;
    }
  };
  const background = new BackgroundTasks(silent);
  const { pool: database, config, url } = service;
  const peers = { cache: null, mailer: null, sms: null, monitoring: null, background };
  const worker = startServiceWorker(
    { ...fixture, jobs },
    { config, log: silent, database, url, concurrency: 1, ...peers },
  );
  try {
    await enqueue(database, {
      name: "probe",
      payload: "{}",
      runAt: null,
      key: null,
      attempts: 1,
      queue: null,
    });
    await eventually(() => expect(ran.isOver).toBe(true));
  } finally {
    await worker.stop(5000);
  }
  await background.drain();
  for (const failure of ran.failures) throw failure;
  return ran.value;
}

test("a job runs for the system, not for a user, and has the context of all code of the app's own", async () => {
  const seen = await inJob(async (context) => {
    const { principal, request_id, signal } = context;
    const [row] = await context.sql`select ${"bound"}::text as given`;
    return { principal, request_id, aborted: signal.aborted, row, hooked: await context.db.hooked.count() };
  });
  expect(seen).toEqual({
    principal: { user_id: null, role: "system", email: null },
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    aborted: false,
    row: { given: "bound" },
    hooked: 0,
  });
});

test("a job has no caller whose rules could hold", async () => {
  const seen = await inJob(async ({ db }) => {
    try {
      return await db.as("caller").hooked.count();
    } catch (error) {
      return String(error);
    }
  });
  expect(seen).toMatch(/caller/);
  expect(seen).not.toBe(0);
});

test("a job writes in transactions of its own, what it sends is part of them, and what follows a commit runs after it", async () => {
  await service.store({});
  const later = { run_at: "2999-01-01T00:00:00Z" };
  const order = await inJob(async (context) => {
    const order: string[] = [];
    await context.db.transaction(async (inner) => {
      await inner.db.hooked.create({ ...record });
      await inner.jobs.enqueue("send-later", { text: "kept" }, later);
      inner.afterCommit(() => void order.push("after the commit"));
      order.push("in the transaction");
    });
    const undone = context.db.transaction(async (inner) => {
      await inner.db.hooked.create({ ...record });
      await inner.jobs.enqueue("send-later", { text: "dropped" }, later);
      inner.afterCommit(() => void order.push("never"));
      throw new Error("undone");
    });
    await undone.catch(() => order.push("undone"));
    return order;
  });
  expect(order).toEqual(["in the transaction", "undone", "after the commit"]);
  expect(await service.query("select from hooked")).toHaveLength(1);
  expect(await service.query("select payload from kirak_jobs.jobs where run_at > now()")).toEqual([
    { payload: { text: "kept" } },
  ]);
});

test("nothing that was to follow runs where the job has failed outside a transaction", async () => {
  const order: string[] = [];
  const failed = inJob(async (context) => {
    context.afterCommit(() => void order.push("never"));
    throw new Error("not today");
  });
  await expect(failed).rejects.toThrow("not today");
  expect(order).toEqual([]);
});

test("reads of a job share connections among themselves, and leave others to the other jobs", async () => {
  const waiting = `SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND relation = 'things'::regclass`;
  const many = await service.pool.transaction(async (transaction) => {
    await transaction.run({ name: null, text: "LOCK TABLE things" }, []);
    const reading = inJob(({ db }) => Promise.all(Array.from({ length: 6 }, () => db.things.count())));
    await eventually(async () => expect(await service.query(waiting)).toEqual([{ n: 5 }]));
    expect(await inJob(({ db }) => db.notes.count())).toBe(0);
    expect(await service.query(waiting)).toEqual([{ n: 5 }]);
    return () => reading;
  });
  expect(await many()).toHaveLength(6);
});
