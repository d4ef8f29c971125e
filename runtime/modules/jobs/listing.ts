import { withTimeout } from "../../core/concurrency/index.ts";
import type { Queryable } from "../../core/database/index.ts";
import { mask } from "../../core/masking/index.ts";
import { dead, jobsTable, running, waiting } from "./queue-schema.ts";

/** A job without its payload, for operators. */
export interface ListedJob {
  readonly id: string;
  readonly name: string;
  readonly state: "waiting" | "running" | "dead";
  readonly attempts: number;
  readonly max_attempts: number;
  /** Earliest start, in UTC. */
  readonly run_at: string;
  readonly queue: string | null;
  readonly key: string | null;
  /** Error of the last attempt, masked as in the log. */
  readonly error: string | null;
}

const list = `select id::text, name, case when ${running} then 'running' when ${dead} then 'dead' else 'waiting' end as state,
  attempts, max_attempts, to_char(run_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), queue, key, last_error
from ${jobsTable} order by 3, run_at, id`;

/** All jobs of the queue; completed jobs are deleted. */
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

/** Result of an operator's change to a job. */
export type JobChangeResult = "done" | "running" | "unknown";

/** Makes a waiting or dead job due now, with all its attempts. */
export function retryJob(connection: Queryable, id: string): Promise<JobChangeResult> {
  return change(connection, id, `update ${jobsTable} set run_at = now(), attempts = 0`);
}

/** Removes a waiting or dead job. */
export function removeJob(connection: Queryable, id: string): Promise<JobChangeResult> {
  return change(connection, id, `delete from ${jobsTable}`);
}

/** Running jobs belong to their worker, so they do not change. */
async function change(connection: Queryable, id: string, text: string): Promise<JobChangeResult> {
  const one = (text: string) => connection.run({ name: null, text }, [id]);
  if ((await one(`${text} where id = $1::bigint and lease is null returning id::text`)).length > 0)
    return "done";
  const found = await one(`select id::text from ${jobsTable} where id = $1::bigint`);
  return found.length > 0 ? "running" : "unknown";
}

const count = `select count(*)::text from ${jobsTable} where ${running} or (${waiting} and run_at <= now())`;

/** Number of running and due jobs. */
export async function countDue(connection: Queryable): Promise<number> {
  const [row] = await connection.run({ name: null, text: count }, []);
  return Number(row?.[0] ?? 0);
}

/** Makes all waiting jobs due now. */
export async function makeDue(connection: Queryable): Promise<void> {
  const text = `update ${jobsTable} set run_at = now() where run_at > now() and lease is null`;
  await connection.run({ name: null, text }, []);
}

/** Figures of the queue (docs/monitoring.md). */
export interface QueueFigures {
  readonly waiting: number;
  readonly running: number;
  readonly dead: number;
  /** Wait of the oldest due job; 0 without due jobs. */
  readonly oldestSeconds: number;
}

/** Each subquery uses an index-only scan. */
const figures = `select ${[waiting, running, dead].map((state) => `(select count(*) from ${jobsTable} where ${state})`).join()},
  coalesce((select greatest(0, extract(epoch from now() - run_at)) from ${jobsTable} where ${waiting} order by run_at limit 1), 0)`;

export async function queueFigures(connection: Queryable): Promise<QueueFigures> {
  const [row = []] = await connection.run({ name: "kirak_queue_figures", text: figures }, []);
  const [waiting = 0, running = 0, dead = 0, oldestSeconds = 0] = row.map(Number);
  return { waiting, running, dead, oldestSeconds };
}

/** Both metrics of one scrape share a result, and so do scrapes within this time. */
const sharedMs = 1_000;
/** Timeout of the query in a scrape. */
const longestMs = 3_000;

/** Reads the figures for monitoring; null if the database does not respond or has no queue. */
export function figuresForMonitoring(connection: Queryable): () => Promise<QueueFigures | null> {
  let last: { readonly answer: Promise<QueueFigures | null>; readonly at: number } | null = null;
  return () => {
    const now = performance.now();
    if (last === null || now - last.at > sharedMs) {
      const answer = withTimeout(queueFigures(connection), longestMs, "too late").catch(() => null);
      last = { answer, at: now };
    }
    return last.answer;
  };
}
