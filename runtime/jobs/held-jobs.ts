import type pg from "pg";
import { jobsTable, namesTable, queuesTable, workersTable } from "./queue-tables.ts";

/** The queue's own connections, as far as statements need them. */
export type QueueConnection = Pick<pg.Pool, "query">;

/** A job whose process is gone. */
export interface FreedJob {
  readonly id: string;
  readonly name: string;
  readonly attempts: number;
  readonly max_attempts: number;
}

/** Says that a worker is there. */
export async function beat(connection: QueueConnection, worker: string): Promise<void> {
  await connection.query(
    `insert into ${workersTable} (id, seen_at) values ($1, now()) on conflict (id) do update set seen_at = now()`,
    [worker],
  );
}

/** A worker ends in order: it has no job any more. */
export async function signOff(connection: QueueConnection, worker: string): Promise<void> {
  await connection.query(`delete from ${workersTable} where id = $1 or seen_at < now() - interval '1 day'`, [
    worker,
  ]);
}

const isGone = (locked: string) => `${locked}.locked_by is not null
    and ${locked}.locked_at < now() - make_interval(secs => $1)
    and not exists (select from ${workersTable} worker
      where worker.id = ${locked}.locked_by and worker.seen_at >= now() - make_interval(secs => $1))`;

const free = `with freed as (
  update ${jobsTable} job set locked_by = null, locked_at = null, run_at = greatest(run_at, now()), updated_at = now(),
    last_error = 'the process that ran it is gone'
  where ${isGone("job")}
  returning id, task_id, attempts, max_attempts
), queues as (
  update ${queuesTable} queue set locked_by = null, locked_at = null where ${isGone("queue")}
)
select freed.id::text, task.identifier as name, attempts, max_attempts
from freed join ${namesTable} task on task.id = freed.task_id order by freed.id`;

/**
 * Has the jobs wait again whose worker was not heard of for so long; that attempt counts. Any number of processes may do so at once.
 */
export async function freeJobsOfTheGone(
  connection: QueueConnection,
  silentSeconds: number,
): Promise<FreedJob[]> {
  const { rows } = await connection.query<FreedJob>(free, [silentSeconds]);
  return rows;
}
