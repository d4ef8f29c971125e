import { parseDatetime } from "../../../vocabulary/fields/dates.ts";
import { suggestion } from "../../../vocabulary/nearest.ts";
import { asStep, noTrace, type Trace } from "../../core/concurrency/index.ts";
import type { Queryable, Statement } from "../../core/database/index.ts";
import type { AppCodeScope, AppJobs, EnqueueOptions } from "../../hooks/context/index.ts";
import { channel } from "./queue.ts";
import { dead, jobsTable, running } from "./queue-schema.ts";
import type { JobRegistry, RegisteredJob } from "./registered-job.ts";

export interface NewJob {
  readonly name: string;
  /** JSON. */
  readonly payload: string;
  /** Null: at once. */
  readonly runAt: string | null;
  /** Null: no key. */
  readonly key: string | null;
  readonly attempts: number;
  readonly queue: string | null;
}

const add: Statement = {
  name: "kirak_enqueue",
  text: `with added as (
  insert into ${jobsTable} as job (name, payload, run_at, max_attempts, key, queue, traceparent)
  values ($1::text, $2::json, coalesce($3::timestamptz, now()), $4::smallint, $5::text, $6::text, $7::text)
  on conflict (name, key) do update set payload = excluded.payload, run_at = excluded.run_at, max_attempts = excluded.max_attempts,
    queue = excluded.queue, traceparent = excluded.traceparent, attempts = 0, last_error = null
  where job.lease is null and job.attempts < job.max_attempts
  returning id
)
select id::text, pg_notify('${channel}', '')::text from added`,
};

/** Takes the key from a running or dead job, so that a new job can have it. */
const freeKey: Statement = {
  name: "kirak_enqueue_key",
  text: `update ${jobsTable} set key = null where name = $1::text and key = $2::text and (${running} or ${dead})`,
};

const cancel: Statement = {
  name: "kirak_cancel_job",
  text: `delete from ${jobsTable} where name = $1::text and key = $2::text and lease is null and attempts < max_attempts returning id::text`,
};

/** Jobs with the same key can start or be added between the two statements. */
const maxAttempts = 5;

/**
 * Adds a job as a step of the trace, which its runs continue. Needs one statement unless a job with its key is
 * running or dead. Returns its id.
 */
export function enqueue(connection: Queryable, job: NewJob, trace = noTrace): Promise<string> {
  const { name, payload, runAt, attempts, key, queue } = job;
  return asStep(trace, `send ${name}`, async () => {
    const values = [name, payload, runAt, attempts, key, queue, trace.traceparent];
    for (let tries = 0; tries < maxAttempts; tries++) {
      const [row] = await connection.run(add, values);
      if (typeof row?.[0] === "string") return row[0];
      await connection.run(freeKey, [name, key]);
    }
    throw new Error(
      `the job ${name} cannot be enqueued: jobs with its key started to run during all ${maxAttempts} attempts`,
    );
  });
}

/** The transaction, if any, and the trace of the code that enqueues. */
interface EnqueueScope extends Pick<AppCodeScope, "transaction"> {
  readonly origin: { readonly trace: Trace };
}

/** Enqueues in the transaction, if any. A rollback, or the failure of its bulk record, removes the job. */
export function enqueueIn(
  { transaction, origin: { trace } }: EnqueueScope,
  database: Queryable,
  job: NewJob,
): Promise<string> {
  transaction?.currentSavepoint.noteSideEffect();
  return enqueue(transaction ?? database, job, trace);
}

const longestKey = 400;

/** `context.jobs` of code that runs in a transaction, or outside any. */
export function jobsForAppCode(jobs: JobRegistry, database: Queryable): (scope: EnqueueScope) => AppJobs {
  const jobOf = (name: string): RegisteredJob => {
    const job = jobs.get(name);
    if (job !== undefined) return job;
    throw new Error(`the job ${JSON.stringify(name)} does not exist${suggestion(name, jobs.keys())}`);
  };
  return (scope) => ({
    async enqueue(name, payload, options = {}) {
      const job = jobOf(name);
      return enqueueIn(scope, database, {
        name: job.name,
        payload: await checkedPayload(job, payload),
        runAt: momentOf(job, options.run_at),
        key: options.key === undefined ? null : checkedKey(job, options.key),
        attempts: job.attempts,
        queue: job.queue,
      });
    },
    async cancel(name, key) {
      const job = jobOf(name);
      const values = [job.name, checkedKey(job, key)];
      const { transaction } = scope;
      transaction?.currentSavepoint.noteSideEffect();
      return (await (transaction ?? database).run(cancel, values)).length > 0;
    },
  });
}

/** Checks the JSON that is stored: dates are strings in it, and keys with the value undefined are missing. */
async function checkedPayload({ name, read }: RegisteredJob, payload: unknown): Promise<string> {
  const text = JSON.stringify(payload) ?? "null";
  const {
    problems: [problem],
  } = await read(JSON.parse(text));
  if (problem === undefined) return text;
  const at = problem.field === "" ? "payload" : `payload.${problem.field}`;
  throw new Error(`the job ${name} cannot be sent: ${at} ${problem.message}`);
}

function momentOf({ name }: RegisteredJob, moment: EnqueueOptions["run_at"]): string | null {
  if (moment === undefined) return null;
  const text = moment instanceof Date ? isoText(moment) : moment;
  const instant = typeof text === "string" ? parseDatetime(text) : null;
  if (instant === null)
    throw new Error(`the job ${name} cannot be sent: run_at must be a Date or an ISO-8601 datetime`);
  return instant;
}

function isoText(moment: Date): string | null {
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

function checkedKey({ name }: RegisteredJob, key: unknown): string {
  if (typeof key === "string" && key !== "" && key.length <= longestKey && !key.includes("\0")) return key;
  throw new Error(`the job ${name}: key must be a string of 1 to ${longestKey} characters`);
}
