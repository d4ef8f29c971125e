import type pg from "pg";
import { historyTable, jobsTable, queueSchema, queueVersion, workersTable } from "./queue-tables.ts";

/** Whether the queue's tables are those that this code works with. */
export type QueueState = "ready" | "missing" | "older" | "newer";

/** Why nobody can use them, in words for an operator. */
export const queueProblems: Readonly<Record<Exclude<QueueState, "ready">, string>> = {
  missing: "the queue of jobs has no tables yet: run npm run migrate",
  older: "the tables of the queue of jobs are those of an older version: run npm run migrate",
  newer: `the queue of jobs in the schema ${queueSchema} was made by a newer version of Kirak: this code cannot use it`,
};

interface Found {
  readonly history: string | null;
  readonly workers: string | null;
  readonly hidden: boolean | null;
}

/** Asks the database for the state of the queue's tables. */
export async function queueState(pool: Pick<pg.Pool, "query">): Promise<QueueState> {
  const { rows } = await pool.query<Found>(
    `select to_regclass($1)::text as history, to_regclass($2)::text as workers,
      (select relrowsecurity from pg_class where oid = to_regclass($3)) as hidden`,
    [historyTable, workersTable, jobsTable],
  );
  const [found] = rows;
  if (found === undefined || found.history === null) return "missing";
  const last = await pool.query<{ id: number | null }>(`select max(id) as id from ${historyTable}`);
  const version = last.rows[0]?.id ?? 0;
  if (version > queueVersion) return "newer";
  return version < queueVersion || found.workers === null || found.hidden === true ? "older" : "ready";
}
