import type { Queryable, Statement } from "../../core/database/index.ts";
import { readTraceparent } from "../../core/telemetry/index.ts";
import { cronsTable, jobsTable, running, waiting, workersTable } from "./queue-schema.ts";

/** Channel of NOTIFY for new jobs. */
export const channel = "kirak_jobs";

/** A worker's claim on a job. Each take makes a new one, so that the end of an earlier run has no effect. */
export interface Lease {
  readonly id: string;
  readonly lease: string;
}

export interface TakenJob extends Lease {
  readonly name: string;
  readonly payload: unknown;
  /** Starts at 1. */
  readonly attempt: number;
  readonly attempts: number;
  /** Of the code that enqueued the job. */
  readonly traceparent: string | null;
}

/**
 * Takes the first due job. Workers compete for the first job of a queue. One of them takes it, and the others
 * skip it.
 */
const take: Statement = {
  name: "kirak_jobs_take",
  text: `with next as (
  select id from ${jobsTable} job
  where ${waiting} and run_at <= now() and name = any($2::text[]) and (queue is null or (
    queue <> all(array(select queue from ${jobsTable} where ${running} and queue is not null))
    and not exists (select from ${jobsTable} earlier
      where ${waiting} and earlier.queue = job.queue and name = any($2::text[]) and (earlier.run_at, earlier.id) < (job.run_at, job.id))))
  order by run_at, id limit 1 for update skip locked
)
update ${jobsTable} job set attempts = attempts + 1, worker = $1::text, lease = gen_random_uuid() from next where job.id = next.id
returning job.id::text, name, payload::text, attempts, max_attempts, lease::text, traceparent`,
};

/** Takes a due job with one of these names. Returns null if no job is due. */
export async function takeJob(
  connection: Queryable,
  worker: string,
  names: readonly string[],
): Promise<TakenJob | null> {
  const [row] = await connection.run(take, [worker, names]);
  if (row === undefined) return null;
  const [id = "", name = "", payload, attempt, attempts, lease = "", traceparent] = row.map(
    (value) => value ?? "",
  );
  return {
    ...{ id, name, lease, payload: JSON.parse(payload ?? "null") },
    ...{ attempt: Number(attempt), attempts: Number(attempts) },
    traceparent: readTraceparent(traceparent),
  };
}

/** Whether another worker took a job of the same queue at the same time. */
export function isQueueConflict(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "23505";
}

const ownLease = "id = $1::bigint and lease = $2::uuid";

const complete: Statement = {
  name: "kirak_jobs_complete",
  text: `delete from ${jobsTable} where ${ownLease}`,
};

/** Removes a completed job. Has no effect without the lease, like `failJob` and `releaseJob`. */
export async function completeJob(connection: Queryable, { id, lease }: Lease): Promise<void> {
  await connection.run(complete, [id, lease]);
}

/** Retries after 3, 7, 20, 55 seconds and so on, up to 6 hours. */
const fail: Statement = {
  name: "kirak_jobs_fail",
  text: `update ${jobsTable} set lease = null, worker = null, last_error = $3::text,
  attempts = case when $4::boolean then max_attempts else attempts end,
  run_at = greatest(now(), run_at) + exp(least(attempts, 10)) * interval '1 second' where ${ownLease}`,
};

/** Schedules the next attempt. After the last attempt or a final failure, the job is dead. */
export async function failJob(
  connection: Queryable,
  { id, lease }: Lease,
  error: unknown,
  isFinal: boolean,
): Promise<void> {
  await connection.run(fail, [id, lease, storedMessage(error), isFinal]);
}

const release: Statement = {
  name: "kirak_jobs_release",
  text: `update ${jobsTable} set lease = null, worker = null, attempts = greatest(0, attempts - 1) where ${ownLease}`,
};

/** Returns an interrupted job to the queue; the attempt does not count. */
export async function releaseJob(connection: Queryable, { id, lease }: Lease): Promise<void> {
  await connection.run(release, [id, lease]);
}

const renew: Statement = {
  name: "kirak_jobs_beat",
  text: `insert into ${workersTable} (id, seen_at) values ($1, now()) on conflict (id) do update set seen_at = now()`,
};

/** Renews a worker's leases, in a row that no transaction of the app locks. */
export async function renewLeases(connection: Queryable, worker: string): Promise<void> {
  await connection.run(renew, [worker]);
}

const endExpired: Statement = {
  name: "kirak_jobs_free",
  text: `update ${jobsTable} set lease = null, worker = null, run_at = greatest(run_at, now()), last_error = 'the process that ran it is gone'
where id in (select id from ${jobsTable} job where ${running} and not exists (select from ${workersTable} worker
  where worker.id = job.worker and seen_at >= now() - make_interval(secs => $1::float8)) for update skip locked)
returning id::text, name, attempts, max_attempts`,
};

/** Ends leases that workers did not renew in time; the attempt counts. Safe to run concurrently. */
export async function endExpiredLeases(
  connection: Queryable,
  seconds: number,
): Promise<Omit<TakenJob, "lease" | "payload" | "traceparent">[]> {
  const rows = await connection.run(endExpired, [seconds]);
  return rows.map(([id, name, attempt, attempts]) => ({
    ...{ id: id ?? "", name: name ?? "" },
    ...{ attempt: Number(attempt), attempts: Number(attempts) },
  }));
}

const remove: Statement = {
  name: "kirak_jobs_leave",
  text: `delete from ${workersTable} where id = $1 or seen_at < now() - interval '1 day'`,
};

/** Removes a worker without jobs, and the rows of workers that stopped long ago. */
export async function removeWorker(connection: Queryable, worker: string): Promise<void> {
  await connection.run(remove, [worker]);
}

/** A job with a schedule. */
export interface ScheduledJob {
  readonly name: string;
  readonly attempts: number;
  readonly queue: string | null;
}

const addScheduled: Statement = {
  name: "kirak_jobs_tick",
  text: `with sent as (
  insert into ${cronsTable} as cron (name, sent_at) values ($1::text, $2::timestamptz)
  on conflict (name) do update set sent_at = excluded.sent_at where cron.sent_at < excluded.sent_at returning name
), added as (insert into ${jobsTable} (name, payload, run_at, max_attempts, queue) select name, '{}', now(), $3::smallint, $4::text from sent returning id)
select pg_notify('${channel}', '')::text from added`,
};

/** Enqueues a scheduled job for a minute, unless another process did. */
export async function enqueueScheduledJob(
  connection: Queryable,
  { name, attempts, queue }: ScheduledJob,
  minute: Date,
): Promise<void> {
  await connection.run(addScheduled, [name, minute.toISOString(), attempts, queue]);
}

const longestMessage = 2_000;

/** The stored error message. PostgreSQL stores neither NUL nor lone surrogates. */
function storedMessage(thrown: unknown): string {
  return messageOf(thrown).slice(0, longestMessage).toWellFormed().replaceAll("\0", "\ufffd");
}

function messageOf(thrown: unknown): string {
  if (typeof thrown === "string" && thrown !== "") return thrown;
  if (!(thrown instanceof Error)) return "the thrown value is not an Error";
  return typeof thrown.message === "string" && thrown.message !== ""
    ? thrown.message
    : "an error without a message";
}
