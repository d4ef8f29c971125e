import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createDatabase } from "#runtime/core/database/index";
import { migrate, migrateDown, migrationStatus, verifyDatabase } from "#runtime/migrations/runner/index";
import { JobError, listJobs, prepareQueue, queueProblem } from "#runtime/modules/jobs/index";
import { type TestDatabase, testDatabase } from "../../../support/database.ts";
import { eventually } from "../../../support/eventually.ts";
import { runnable, testQueue } from "../../../support/queue.ts";
import { silent as log } from "../../../support/silent-log.ts";
import { base, second, shelf } from "../../migrations/runner/shelf.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await testDatabase();
});

/** A role that may do nothing yet: how it reaches the database. */
async function roleOf({ url, query }: Pick<TestDatabase, "url" | "query">) {
  const role = `role_${process.pid}_${process.hrtime.bigint()}`;
  await query(`create role ${role} login password 'pass'`);
  onTestFinished(() => query(`drop owned by ${role} cascade; drop role ${role}`).then(() => {}));
  return { role, url: Object.assign(new URL(url), { username: role, password: "pass" }).href };
}

const grants = (role: string) => `grant usage on schema kirak_jobs to ${role};
  grant select, insert, update, delete on all tables in schema kirak_jobs to ${role}`;
const denied =
  "the job queue cannot be used: permission denied for schema kirak_jobs; the role that created it must migrate it, and give other roles " +
  "GRANT USAGE ON SCHEMA kirak_jobs and GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA kirak_jobs";

describe("the role", () => {
  it("without the right to create a schema gets an error with the missing grants, and creates the tables once the schema exists", async () => {
    const { url, role } = await roleOf(database);
    const name = new URL(url).pathname.slice(1);
    await expect(prepareQueue(url, log)).rejects.toThrow(
      new JobError(
        `the job queue cannot be made: permission denied for database ${name}; the role needs GRANT CREATE ON DATABASE, or an administrator ` +
          "creates the schema for it: CREATE SCHEMA kirak_jobs AUTHORIZATION <the role of SERVICE_DATABASE_URL>",
      ),
    );
    await database.query(`create schema kirak_jobs authorization ${role}`);
    await prepareQueue(url, log);
    expect(await queueProblem(url, log)).toBeNull();
  });

  it("that does not own the tables gets an error with the missing grants, and with them sends, runs and finds jobs like the owner", async () => {
    const queue = await testQueue();
    const { url, role } = await roleOf(queue);
    const other = createDatabase({ url, log });
    onTestFinished(() => other.close());
    await expect(prepareQueue(url, log)).rejects.toThrow(new JobError(denied));
    expect(await queueProblem(url, log)).toBe(denied);
    await expect(queue.sendIn(other, "shared")).rejects.toThrow("permission denied for schema kirak_jobs");
    const seen: unknown[] = [];
    const run = async ({ payload }: { payload: unknown }) => void seen.push(payload);
    const worker = queue.work([runnable("shared", { run })], { url });
    await eventually(() => expect(worker.log.map(({ msg }) => msg)).toEqual(["cannot take jobs: retrying"]));
    await queue.query(grants(role));
    expect(await queueProblem(url, log)).toBeNull();
    await prepareQueue(url, log);
    await queue.send("shared", "of the owner");
    await queue.sendIn(other, "shared", "of the other", { queue: "line", key: "one" });
    await eventually(async () =>
      expect([seen.toSorted(), await queue.rows()]).toEqual([["of the other", "of the owner"], []]),
    );
    expect(await listJobs(other)).toEqual([]);
  });
});

describe("the tables of an older version", () => {
  const old = readFileSync(new URL("graphile-worker.sql", import.meta.url), "utf8");

  it("hand over what waits, runs and is dead, and the rights of other roles", async () => {
    const { url, query } = database;
    await query(old);
    const { role, url: otherUrl } = await roleOf(database);
    await query(grants(role));
    expect(await queueProblem(url, log)).toMatch(/older version: run npm run migrate$/);
    await expect(prepareQueue(otherUrl, log)).rejects.toThrow("must be owner of view jobs");
    await prepareQueue(url, log);
    expect(await queueProblem(otherUrl, log)).toBeNull();
    // biome-ignore format: one case a line
    expect(await query("select *, worker from kirak_jobs.jobs order by id")).toMatchObject([
      { ...{ id: "1", name: "remind", payload: { n: 1 }, run_at: new Date("2999-01-01"), attempts: 1, max_attempts: 10 },
        ...{ key: "a b", queue: "line", last_error: "not today", worker: null, lease: null } },
      { id: "2", name: "tidy", payload: {}, attempts: 0, max_attempts: 3, key: null, queue: null, lease: null },
      { id: "3", payload: { n: 2 }, worker: "an older worker", lease: expect.any(String) },
      { id: "4", payload: { n: 3, _cron: 1 }, attempts: 5, max_attempts: 5, key: "dead", last_error: "broken" },
    ]);
    expect(await query("select name, sent_at from kirak_jobs.crons")).toEqual([
      { name: "tidy", sent_at: new Date("2026-01-02T03:04:00Z") },
    ]);
    const left = `select relname from pg_class where relnamespace = 'kirak_jobs'::regnamespace and relname like '\\_private%'
      union select proname from pg_proc where pronamespace = 'kirak_jobs'::regnamespace`;
    expect(await query(left)).toEqual([]);
    // What an older version reads: it refuses to start.
    expect(await query("select max(id) from kirak_jobs.migrations")).toEqual([{ max: 100 }]);
    await query(
      "insert into kirak_jobs.jobs (name, payload, run_at, max_attempts) values ('next', '{}', now(), 1)",
    );
    expect(await query("select id::int > 4 as fresh from kirak_jobs.jobs where name = 'next'")).toEqual([
      { fresh: true },
    ]);
  });

  it("stay as they are if a job cannot be moved, and wait for transactions that send jobs", async () => {
    const { url, query } = database;
    await query(
      `${old}; update kirak_jobs._private_jobs set locked_at = now(), locked_by = 'w' where id = 1`,
    );
    await expect(prepareQueue(url, log)).rejects.toThrow("jobs_that_run");
    expect(await query("select count(*)::int as n from kirak_jobs._private_jobs")).toEqual([{ n: 4 }]);
    await query("update kirak_jobs._private_jobs set locked_at = null, locked_by = null where id = 1");
    await query("create view mine as select * from kirak_jobs.jobs");
    await expect(prepareQueue(url, log)).rejects.toThrow(
      /depend on it; drop the objects that depend on them first$/,
    );
    await query("drop view mine");
    const sending = createDatabase({ url, log });
    onTestFinished(() => sending.close());
    const preparing = await sending.transaction(async (transaction) => {
      await transaction.run(
        { name: null, text: "insert into kirak_jobs._private_jobs (task_id) values (2)" },
        [],
      );
      const preparing = prepareQueue(url, log);
      const waits =
        "select from pg_locks where not granted and relation = 'kirak_jobs._private_jobs'::regclass";
      await eventually(async () => expect(await query(waits)).toHaveLength(1));
      return { preparing };
    });
    await preparing.preparing;
    expect(await query("select name from kirak_jobs.jobs where id = 5")).toEqual([{ name: "remind" }]);
  });
});

it("tables without the column for traces get it, and their version stays, so that older processes can start", async () => {
  const { url, query } = database;
  await prepareQueue(url, log);
  await query("alter table kirak_jobs.jobs drop column traceparent");
  const add =
    "insert into kirak_jobs.jobs (name, payload, run_at, max_attempts) values ('waits', '{}', now(), 1)";
  await query(add);
  expect(await queueProblem(url, log)).toMatch(/older version: run npm run migrate$/);
  await Promise.all([prepareQueue(url, log), prepareQueue(url, log)]);
  expect(await queueProblem(url, log)).toBeNull();
  // The statement of an older process.
  await query(add);
  const jobs = "select name, traceparent from kirak_jobs.jobs";
  expect(await query(jobs)).toEqual(Array(2).fill({ name: "waits", traceparent: null }));
  expect(await query("select max(id) from kirak_jobs.migrations")).toEqual([{ max: 100 }]);
});

it("the column waits for a transaction that sends jobs, and lets other senders pass meanwhile", async () => {
  const { url, query } = database;
  await prepareQueue(url, log);
  await query("alter table kirak_jobs.jobs drop column traceparent");
  const text =
    "insert into kirak_jobs.jobs (name, payload, run_at, max_attempts) values ('x', '{}', now(), 1)";
  const waiting = "select from pg_locks where not granted and relation = 'kirak_jobs.jobs'::regclass";
  const waits = (count: number) => eventually(async () => expect(await query(waiting)).toHaveLength(count));
  const sending = createDatabase({ url, log });
  onTestFinished(() => sending.close());
  const preparing = await sending.transaction(async (transaction) => {
    await transaction.run({ name: null, text }, []);
    const preparing = prepareQueue(url, log);
    await waits(1);
    // Behind the waiting lock, until the first try ends.
    await query(text);
    await waits(1);
    return { preparing };
  });
  await preparing.preparing;
  expect(await queueProblem(url, log)).toBeNull();
});

it("tables of a newer version stop the start", async () => {
  const { url, query } = database;
  await prepareQueue(url, log);
  await query("insert into kirak_jobs.migrations (id) values (101)");
  const newer =
    "the job queue in the schema kirak_jobs was made by a newer version of Kirak: update this app's Kirak";
  await expect(prepareQueue(url, log)).rejects.toThrow(new JobError(newer));
});

const note = { name: "note", type: "text", nullable: true } as const;
const noted = second(
  [{ step: "add_column", table: "books", column: note }],
  [{ step: "drop_column", table: "books", column: "note" }],
);

it("the queue's tables are not reported as drift, and migrations up and down do not touch them or their jobs", async () => {
  const { url, query } = await shelf();
  const options = { url, migrations: [base, noted], log, alongside: prepareQueue };
  expect(await queueProblem(url, log)).toMatch(/no tables yet: run npm run migrate$/);
  expect(await migrate({ ...options, to: "0001_base" })).toEqual([]);
  expect(await queueProblem(url, log)).toBeNull();
  await query(
    "insert into kirak_jobs.jobs (name, payload, run_at, max_attempts) values ('remind', '{}', '2999-01-01', 1)",
  );
  const before = await query("select * from kirak_jobs.jobs");
  await Promise.all([migrate(options), migrate(options)]);
  expect(await verifyDatabase(options)).toMatchObject({ differences: [], notes: [] });
  expect((await migrationStatus(options)).map(({ name, state }) => [name, state])).toEqual([
    ["0001_base", "applied"],
    ["0002_second", "applied"],
  ]);
  expect(await migrateDown({ ...options, acceptDataLoss: true })).toEqual(["0002_second"]);
  const after = await query("select * from kirak_jobs.jobs");
  expect([before.length, after, await queueProblem(url, log)]).toEqual([1, before, null]);
});
