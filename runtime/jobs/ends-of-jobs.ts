import type { QueueConnection } from "./held-jobs.ts";
import { keptMessage } from "./kept-message.ts";
import { jobsTable, queuesTable } from "./queue-tables.ts";

/** A job that a worker has. None of its ends counts once another one may have it. */
export interface HeldJob {
  readonly id: string;
  /** The name of the worker. */
  readonly worker: string;
}

const held = "id = $2::bigint and locked_by = $1";
const freeQueue = `update ${queuesTable} queue set locked_by = null, locked_at = null
from ended where queue.id = ended.job_queue_id and queue.locked_by = $1`;

const remove = `with ended as (delete from ${jobsTable} where ${held} returning job_queue_id), queues as (${freeQueue})
select from ended`;

/** Removes a job that is done. Says whether the worker had it still. */
export async function removeDone(connection: QueueConnection, { worker, id }: HeldJob): Promise<boolean> {
  const { rows } = await connection.query(remove, [worker, id]);
  return rows.length > 0;
}

/** The pauses are those of the library. */
const fail = `with ended as (
  update ${jobsTable} set locked_by = null, locked_at = null, last_error = $3, updated_at = now(),
    run_at = greatest(now(), run_at) + exp(least(attempts, 10)) * interval '1 second'
  where ${held}
  returning job_queue_id
)
${freeQueue}`;

/** Has a job be tried again after a pause, or be dead where that was its last attempt. */
export async function noteFailed(
  connection: QueueConnection,
  { worker, id }: HeldJob,
  error: unknown,
): Promise<void> {
  await connection.query(fail, [worker, id, keptMessage(error)]);
}

const give = `with ended as (
  update ${jobsTable} set locked_by = null, locked_at = null, attempts = greatest(0, attempts - 1), updated_at = now()
  where ${held}
  returning job_queue_id
)
${freeQueue}`;

/** Has a job wait again that a worker has begun and does not finish; that attempt does not count. */
export async function giveBack(connection: QueueConnection, { worker, id }: HeldJob): Promise<void> {
  await connection.query(give, [worker, id]);
}

/** Has a job be dead once this attempt has failed, however often it might be tried yet. */
export async function markDead(connection: QueueConnection, { worker, id }: HeldJob): Promise<void> {
  await connection.query(`update ${jobsTable} set attempts = max_attempts where ${held}`, [worker, id]);
}
