import type { Queryable } from "../database/index.ts";
import { mask } from "../masking/index.ts";
import { queueSchema } from "./queue-tables.ts";

/** A job as an operator sees it: nothing of its payload. */
export interface ListedJob {
  readonly id: string;
  readonly name: string;
  readonly state: "waiting" | "running" | "dead";
  readonly attempts: number;
  readonly max_attempts: number;
  /** When it may run, in UTC. */
  readonly run_at: string;
  readonly queue: string | null;
  readonly key: string | null;
  /** Why its last attempt has failed, masked as in the log. */
  readonly error: string | null;
}

const state = `case when locked_at is not null then 'running' when attempts >= max_attempts then 'dead' else 'waiting' end`;

/** Of its library's view, which has no payloads; a key of ours begins with the name. */
const list = `select id::text, task_identifier, ${state} as state, attempts, max_attempts,
  to_char(run_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), queue_name, substr(key, length(task_identifier) + 2), last_error
from ${queueSchema}.jobs order by 3, run_at, id`;

/** All jobs that there are: those that are done are gone. */
export async function listJobs(connection: Queryable): Promise<ListedJob[]> {
  const rows = await connection.run({ name: null, text: list }, []);
  return rows.map(([id, name, state, attempts, most, runAt, queue, key, error]) => ({
    id: id ?? "",
    name: name ?? "",
    state: state === "dead" || state === "running" ? state : "waiting",
    attempts: Number(attempts),
    max_attempts: Number(most),
    run_at: runAt ?? "",
    queue: queue ?? null,
    key: key ?? null,
    error: error == null ? null : mask(error),
  }));
}

/** What became of a job that an operator meant. */
export type Outcome = "done" | "running" | "unknown";

/** Has a job that waits or is dead run at once, and as often as at first. */
export function retryJob(connection: Queryable, id: string): Promise<Outcome> {
  const text = `select id::text from ${queueSchema}.reschedule_jobs(array[$1::bigint], run_at := now(), attempts := 0)`;
  return change(connection, id, text);
}

/** Removes a job that waits or is dead. */
export function removeJob(connection: Queryable, id: string): Promise<Outcome> {
  return change(connection, id, `select id::text from ${queueSchema}.complete_jobs(array[$1::bigint])`);
}

/** What is running is in the hands of its worker. */
async function change(connection: Queryable, id: string, text: string): Promise<Outcome> {
  const changed = await connection.run({ name: null, text }, [id]);
  if (changed.length > 0) return "done";
  const found = { name: null, text: `select id::text from ${queueSchema}.jobs where id = $1::bigint` };
  return (await connection.run(found, [id])).length > 0 ? "running" : "unknown";
}
