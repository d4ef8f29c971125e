import type pg from "pg";
import type { Logger } from "pino";
import { JobError } from "./job-error.ts";
import { queueLogger } from "./queue-logger.ts";
import { queuePool } from "./queue-pool.ts";
import { queueProblems, queueState } from "./queue-state.ts";
import { historyTable, namesTable, ownTables, queueSchema, queuesTable } from "./queue-tables.ts";

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
    await inWords(async () => {
      await requireTables(pool, log);
      await pool.query(addNames, [names]);
      await pool.query(addQueues, [queues]);
    });
  } finally {
    await pool.end();
  }
}

/** Why the queue cannot be used as it is, in words for an operator; null where it can. */
export async function queueProblem(url: string, log: Logger): Promise<string | null> {
  const pool = queuePool({ url, log, maxConnections: 1 });
  try {
    const state = await inWords(() => queueState(pool));
    return state === "ready" ? null : queueProblems[state];
  } catch (error) {
    if (error instanceof JobError) return error.message;
    throw error;
  } finally {
    await pool.end();
  }
}

async function requireTables(pool: pg.Pool, log: Logger): Promise<void> {
  const state = await queueState(pool);
  if (state === "ready") return;
  if (state === "newer") throw new JobError(queueProblems.newer);
  await make(pool, log);
  log.info(`the queue of jobs is ready, in the schema ${queueSchema}`);
}

async function make(pool: pg.Pool, log: Logger): Promise<void> {
  const { rows } = await pool.query("select from pg_namespace where nspname = $1", [queueSchema]);
  if (rows.length === 0) await pool.query(`create schema ${queueSchema}`);
  // The library makes it together with the schema, which somebody else may have made for a role that may make none.
  await pool.query(
    `create table if not exists ${historyTable} (id int primary key, ts timestamptz default now() not null, breaking boolean not null default false)`,
  );
  const { runMigrations } = await import("graphile-worker");
  await runMigrations({ pgPool: pool, schema: queueSchema, logger: await queueLogger(log) });
  await pool.query(ownTables);
}

const toMake =
  "the role needs GRANT CREATE ON DATABASE, or somebody makes the schema for it: " +
  `CREATE SCHEMA ${queueSchema} AUTHORIZATION <the role of SERVICE_DATABASE_URL>`;
const toUse =
  `the role that made it migrates it, and gives others GRANT USAGE ON SCHEMA ${queueSchema} and ` +
  `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${queueSchema}`;

async function inWords<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "42501") throw error;
    const isMaking = /for database/.test(error.message);
    throw new JobError(
      `the queue of jobs cannot be ${isMaking ? "made" : "used"}: ${error.message}; ${isMaking ? toMake : toUse}`,
      { cause: error },
    );
  }
}
