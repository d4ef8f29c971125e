import type { Queryable, Statement, Transaction } from "../database/index.ts";
import { jobsTable, namesTable, queuesTable } from "./queue-tables.ts";

/** A job as the queue takes it. */
export interface NewJob {
  readonly name: string;
  /** JSON. */
  readonly payload: string;
  /** Null for at once. */
  readonly runAt: string | null;
  /** Null for none. */
  readonly key: string | null;
  readonly attempts: number;
  readonly queue: string | null;
}

/** What else can happen at the same time: a first job of a name, of a queue, and one with the key that begins to run. */
const mostTries = 5;

/**
 * The library's own `add_job` would take the remaining attempts from a job with that key that runs, its key from one that is dead, and
 * a number of 31 bits for each call.
 */
const add: Statement = {
  name: "kirak_enqueue",
  text: `with added as (
  insert into ${jobsTable} as job (task_id, job_queue_id, payload, run_at, max_attempts, key)
  select task.id, queue.id, $2::json, coalesce($3::timestamptz, now()), $4::smallint, $5::text
  from ${namesTable} task left join ${queuesTable} queue on queue.queue_name = $6::text
  where task.identifier = $1::text and ($6::text is null or queue.id is not null)
  on conflict (key) do update set payload = excluded.payload, run_at = excluded.run_at, max_attempts = excluded.max_attempts,
    job_queue_id = excluded.job_queue_id, attempts = 0, last_error = null, revision = job.revision + 1, updated_at = now()
  where job.is_available
  returning id
)
select id::text, pg_notify('jobs:insert', json_build_object('r', random(), 'count', 1)::text)::text from added`,
};

const addName: Statement = {
  name: "kirak_enqueue_name",
  text: `insert into ${namesTable} (identifier) select $1::text
where not exists (select from ${namesTable} where identifier = $1::text) on conflict do nothing`,
};

const addQueue: Statement = {
  name: "kirak_enqueue_queue",
  text: `insert into ${queuesTable} (queue_name) select $1::text
where not exists (select from ${queuesTable} where queue_name = $1::text) on conflict do nothing`,
};

/** Of a job that does not wait: it stays as it is, and the key is free. */
const freeKey: Statement = {
  name: "kirak_enqueue_key",
  text: `update ${jobsTable} set key = null where key = $1::text and not is_available`,
};

const cancelKey: Statement = {
  name: "kirak_cancel_job",
  text: `delete from ${jobsTable} where key = $1::text and is_available returning id::text`,
};

/** Removes a waiting job by its key, in the transaction where there is one. Gives whether there was one. */
export async function cancelIn(
  transaction: Transaction | null,
  database: Queryable,
  { name, key }: { readonly name: string; readonly key: string },
): Promise<boolean> {
  transaction?.part.noteWrite();
  const removed = await (transaction ?? database).run(cancelKey, [keyOf(name, key)]);
  return removed.length > 0;
}

/** No name has a space. */
function keyOf(name: string, key: string): string {
  return `${name} ${key}`;
}

/** The same in a transaction, where there is one: with it the job is dropped, and with a record of a bulk that asked for it. */
export function enqueueIn(
  transaction: Transaction | null,
  database: Queryable,
  job: NewJob,
): Promise<string> {
  transaction?.part.noteWrite();
  return enqueue(transaction ?? database, job);
}

/** Puts a job into the queue, by one statement unless it is the first of its kind. Gives its id. */
export async function enqueue(connection: Queryable, job: NewJob): Promise<string> {
  const { name, payload, runAt, attempts, queue } = job;
  const key = job.key === null ? null : keyOf(name, job.key);
  for (let tries = 0; tries < mostTries; tries++) {
    const [row] = await connection.run(add, [name, payload, runAt, attempts, key, queue]);
    if (typeof row?.[0] === "string") return row[0];
    await connection.run(addName, [name]);
    if (queue !== null) await connection.run(addQueue, [queue]);
    if (key !== null) await connection.run(freeKey, [key]);
  }
  throw new Error(
    `the job ${name} could not be put into the queue: others with its key begin to run again and again`,
  );
}
