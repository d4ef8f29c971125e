import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import pg from "pg";
import { expect, it } from "vitest";
import { JobError, prepareQueue } from "#runtime/jobs/index";
import { queueState } from "#runtime/jobs/queue-state";
import { queueVersion } from "#runtime/jobs/queue-tables";
import { afterFile } from "../../support/after-file.ts";
import { testDatabase } from "../../support/database.ts";
import { silent } from "../../support/silent-log.ts";

const { url, query } = await testDatabase();
const pool = new pg.Pool({ connectionString: url, max: 1 });
afterFile(() => pool.end());
const role = `queueless_${process.pid}_${process.hrtime.bigint()}`;

it("the version that the statements are written for is the last migration of the package", () => {
  const folder = createRequire(import.meta.url).resolve("graphile-worker/package.json");
  const text = readFileSync(join(folder, "..", "dist", "generated", "sql.js"), "utf8");
  const numbers = [...text.matchAll(/"(\d{6})\.sql"/g)].map(([, number]) => Number(number));
  expect(Math.max(...numbers)).toBe(queueVersion);
});

it("a role that may make no schema is told what it needs, and goes on once somebody made the schema for it", async () => {
  const name = new URL(url).pathname.slice(1);
  await query(`create role ${role} login password 'queue'`);
  afterFile(() => query(`drop owned by ${role} cascade; drop role ${role}`));
  await query(`grant connect on database ${name} to ${role}`);
  const own = new URL(url);
  own.username = role;
  own.password = "queue";
  const refused = prepareQueue(own.href, silent);
  await expect(refused).rejects.toThrow(JobError);
  await expect(refused).rejects.toThrow(
    "the queue of jobs cannot be made: permission denied for database " +
      `${name}; the role needs GRANT CREATE ON DATABASE, or somebody makes the schema for it: CREATE SCHEMA kirak_jobs AUTHORIZATION`,
  );
  expect(await queueState(pool)).toBe("missing");
  await query(`create schema kirak_jobs authorization ${role}`);
  await prepareQueue(own.href, silent, { names: ["one", "one"], queues: ["line"] });
  expect(await queueState(pool)).toBe("ready");
});

it("tables that are there are left as they are, names that are new are added", async () => {
  await prepareQueue(url, silent, { names: ["one", "two"], queues: ["line", "other"] });
  expect(await query("select identifier from kirak_jobs._private_tasks order by id")).toEqual([
    { identifier: "one" },
    { identifier: "two" },
  ]);
  expect(await query("select queue_name from kirak_jobs._private_job_queues order by id")).toHaveLength(2);
});

it("tables of an older version are brought up to date", async () => {
  await query("drop table kirak_jobs.workers");
  expect(await queueState(pool)).toBe("older");
  await prepareQueue(url, silent);
  expect(await queueState(pool)).toBe("ready");
});

it("tables whose rows the library hides from all but their owner are older ones, too", async () => {
  await query("alter table kirak_jobs._private_jobs enable row level security");
  expect(await queueState(pool)).toBe("older");
  await prepareQueue(url, silent);
  expect(
    await query("select from pg_class where relnamespace = 'kirak_jobs'::regnamespace and relrowsecurity"),
  ).toEqual([]);
});

it("tables of a newer version stop the start", async () => {
  await query("insert into kirak_jobs.migrations (id) values ($1)", [queueVersion + 1]);
  expect(await queueState(pool)).toBe("newer");
  await expect(prepareQueue(url, silent)).rejects.toThrow(
    "the queue of jobs in the schema kirak_jobs was made by a newer version of Kirak: this code cannot use it",
  );
});
