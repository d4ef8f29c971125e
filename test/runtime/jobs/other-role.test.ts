import { expect, it } from "vitest";
import { createDatabase } from "#runtime/database/index";
import { JobError, prepareQueue, queueProblem } from "#runtime/jobs/index";
import { afterFile } from "../../support/after-file.ts";
import { eventually } from "../../support/eventually.ts";
import { runnable, testQueue } from "../../support/queue.ts";
import { silent } from "../../support/silent-log.ts";

const queue = await testQueue();
const role = `other_${process.pid}_${process.hrtime.bigint()}`;
await queue.query(`create role ${role} login password 'other'`);
afterFile(() => queue.query(`drop owned by ${role} cascade; drop role ${role}`));
const other = new URL(queue.url);
other.username = role;
other.password = "other";
const url = other.href;
const database = createDatabase({ url, log: silent });
afterFile(() => database.close());

const denied =
  "the queue of jobs cannot be used: permission denied for schema kirak_jobs; the role that made it migrates it, and gives others " +
  "GRANT USAGE ON SCHEMA kirak_jobs and GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA kirak_jobs";

it("a role that did not make the queue is told what it needs; nothing is sent", async () => {
  const prepared = prepareQueue(url, silent);
  await expect(prepared).rejects.toThrow(JobError);
  await expect(prepared).rejects.toThrow(denied);
  expect(await queueProblem(url, silent)).toBe(denied);
  await expect(queue.sendIn(database, "shared")).rejects.toThrow("permission denied for schema kirak_jobs");
  const worker = queue.work([runnable("shared")], { url });
  const complaints = () => worker.log.map(({ msg }) => msg);
  await eventually(() => expect(complaints()).toEqual(["no jobs are run for a moment"]));
  await worker.stop(0);
});

it("with these rights it sends, runs and finds jobs as their owner does", async () => {
  await queue.query(`grant usage on schema kirak_jobs to ${role};
    grant select, insert, update, delete on all tables in schema kirak_jobs to ${role}`);
  expect(await queueProblem(url, silent)).toBeNull();
  await prepareQueue(url, silent, { names: ["new"], queues: ["line"] });
  const seen: unknown[] = [];
  const worker = queue.work([runnable("shared", { run: async ({ payload }) => void seen.push(payload) })], {
    url,
  });
  await queue.send("shared", "of the owner");
  await queue.sendIn(database, "shared", "of the other", { queue: "line", key: "one" });
  await eventually(async () =>
    expect([seen.toSorted(), await queue.rows()]).toEqual([["of the other", "of the owner"], []]),
  );
  await worker.stop(5000);
});
