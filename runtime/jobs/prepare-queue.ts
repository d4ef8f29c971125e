import type pg from "pg";
import type { Logger } from "pino";
import { JobError } from "./job-error.ts";
import { queueLogger } from "./queue-logger.ts";
import { queuePool } from "./queue-pool.ts";
import {
  namesTable,
  ownTables,
  queueSchema,
  queuesTable,
  queueVersion,
  workersTable,
} from "./queue-tables.ts";

/** Whether the queue's tables are those that this code works with. */
export type QueueState = "ready" | "missing" | "older" | "newer";

const history = `${queueSchema}.migrations`;

/** Asks the database for the state of the queue's tables. */
export async function queueState(pool: Pick<pg.Pool, "query">): Promise<QueueState> {
  const { rows } = await pool.query<{ history: string | null; workers: string | null }>(
    "select to_regclass($1)::text as history, to_regclass($2)::text as workers",
    [history, workersTable],
  );
  if (rows[0]?.history == null) return "missing";
  const last = await pool.query<{ id: number | null }>(`select max(id) as id from ${history}`);
  const version = last.rows[0]?.id ?? 0;
  if (version > queueVersion) return "newer";
  return version < queueVersion || rows[0].workers === null ? "older" : "ready";
}

/** What the code has. The first job of a name would else have others of that name wait for the end of its transaction. */
export interface KnownNames {
  readonly names?: readonly string[];
  readonly queues?: readonly string[];
}

const addNames = `insert into ${namesTable} (identifier)
select name from unnest($1::text[]) known(name) where not exists (select from ${namesTable} where identifier = name) on conflict do nothing`;
const addQueues = `insert into ${queuesTable} (queue_name)
select name from unnest($1::text[]) known(name) where not exists (select from ${queuesTable} where queue_name = name) on conflict do nothing`;

/**
 * Makes the queue's tables, or brings them up to date: graphile-worker's own migrations, and what we add. Whoever calls it holds the lock
 * of migrations. Throws a JobError where the role may not.
 */
export async function prepareQueue(
  url: string,
  log: Logger,
  { names = [], queues = [] }: KnownNames = {},
): Promise<void> {
  const pool = queuePool({ url, log, maxConnections: 1 });
  try {
    await requireTables(pool, log);
    await pool.query(addNames, [names]);
    await pool.query(addQueues, [queues]);
  } finally {
    await pool.end();
  }
}

async function requireTables(pool: pg.Pool, log: Logger): Promise<void> {
  const state = await queueState(pool);
  if (state === "ready") return;
  if (state === "newer")
    throw new JobError(
      `the queue of jobs in the schema ${queueSchema} was made by a newer version of Kirak: this code cannot use it`,
    );
  await inWords(() => make(pool, log));
  log.info(`the queue of jobs is ready, in the schema ${queueSchema}`);
}

async function make(pool: pg.Pool, log: Logger): Promise<void> {
  const { rows } = await pool.query("select from pg_namespace where nspname = $1", [queueSchema]);
  if (rows.length === 0) await pool.query(`create schema ${queueSchema}`);
  // The library makes it together with the schema, which somebody else may have made for a role that may make none.
  await pool.query(
    `create table if not exists ${history} (id int primary key, ts timestamptz default now() not null, breaking boolean not null default false)`,
  );
  const { runMigrations } = await import("graphile-worker");
  await runMigrations({ pgPool: pool, schema: queueSchema, logger: await queueLogger(log) });
  await pool.query(ownTables);
}

async function inWords(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "42501") throw error;
    throw new JobError(
      `the queue of jobs cannot be made: ${error.message}; the role needs GRANT CREATE ON DATABASE, ` +
        `or somebody makes the schema for it: CREATE SCHEMA ${queueSchema} AUTHORIZATION <the role of SERVICE_DATABASE_URL>`,
      { cause: error },
    );
  }
}
