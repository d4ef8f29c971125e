import type pg from "pg";
import type { Logger } from "pino";
import type { Migration } from "../../../../vocabulary/migrations/migration-steps.ts";
import { madeFoundTables, recordMade } from "../history/baseline-objects.ts";
import { deleteCustomObjects } from "../history/custom-objects.ts";
import { checksumTable, historyTable, preparationTable } from "../history/history-tables.ts";
import { checksumOf } from "../history/migration-checksum.ts";
import { MigrationError } from "../migration-error.ts";
import type { Change } from "../plan/migration-change.ts";
import { sqlBeside, sqlTable } from "../steps/quoting.ts";
import { lockTables } from "./lock-tables.ts";
import type { MigrationLock } from "./migration-lock.ts";
import { runStatements } from "./run-statements.ts";
import type { Timing } from "./timing.ts";
import { inTransaction } from "./unfinished.ts";
import type { Watch } from "./watch-progress.ts";

const unpreparedQuery = `
  select p.name from jsonb_to_recordset($1) as p(drop text, "table" text, name text)
  where case p.drop
    when 'index' then not exists (select from pg_index where indexrelid = to_regclass(p.name) and indisvalid)
    when 'constraint' then not exists (select from pg_constraint
      where conrelid = to_regclass(p."table") and conname = p.name and convalidated)
  end`;

/** Throws a MigrationError unless all prepared indexes and constraints exist and are valid. */
async function requirePrepared(connection: pg.ClientBase, { migration, plan }: Change): Promise<void> {
  const prepared = plan.undo.map(({ drop, table, name }) => ({
    ...{ drop, table: sqlTable(table), name: drop === "index" ? sqlBeside(table, name) : name },
  }));
  const { rows } = await connection.query(unpreparedQuery, [JSON.stringify(prepared)]);
  if (rows.length > 0)
    throw new MigrationError(`the preparation of ${migration.name} is incomplete: migrate again`);
}

/** The context of a run that holds the lock. */
export interface Run {
  readonly lock: MigrationLock;
  readonly timing: Timing;
  readonly watch: Watch;
}

/** Creates the tables that record which migrations are applied. */
export async function createHistoryTables(client: pg.Client): Promise<void> {
  await client.query(
    `create table if not exists ${historyTable} (id serial primary key, name varchar(255), migration_time timestamptz);
    create table if not exists ${checksumTable} (name text primary key, checksum text not null)`,
  );
}

/** The change to run: a database that has the result of one already only records it. Throws a MigrationError if neither is right. */
export type Decide = (change: Change) => Promise<Change>;

/**
 * Runs the main part of a change and updates the history, in one transaction on the connection that holds the
 * lock. The preparation must have this token. Throws a StepFailure, or a MigrationError if another instance
 * was faster; the preparation then remains.
 */
export async function runInTransaction(
  { lock, timing, watch }: Run,
  planned: Change,
  token: string,
  decide: Decide,
): Promise<void> {
  const { client } = lock;
  const { plan } = planned;
  await lock.requireHeld();
  await inTransaction(client, async () => {
    await recordInHistory(client, planned);
    if (plan.online.length > 0) await claimPreparation(client, planned, token);
    await lockTables(client, plan.locks.main, timing.lockTimeoutMs, (statement) =>
      runStatements(client, planned, [statement], watch),
    );
    // Until now, other sessions could change the tables.
    const change = await decide(planned);
    await requirePrepared(client, change);
    await runStatements(client, change, change.plan.main, watch);
    const { direction, migration, steps } = change;
    if (migration.found === undefined) return;
    if (direction === "down") await deleteCustomObjects(client, migration.name);
    // Without steps it is only recorded: then verify reports what the database lacks, unless Kirak has made its tables.
    else if (steps.length > 0 || (await madeFoundTables(client)))
      logLeftOut(watch.log, migration, await recordMade(client, migration));
  });
}

function logLeftOut(log: Logger, { name: migration }: Migration, objects: readonly string[]): void {
  if (objects.length === 0) return;
  const message = "the migration made tables of the models, without these objects of the original database";
  log.warn({ migration, objects }, message);
}

const historyStatements = {
  up: `insert into ${historyTable} (name, migration_time)
    select $1::text, now() where not exists (select from ${historyTable} where name = $1)`,
  down: `delete from ${historyTable} where name = $1`,
};

/** Records a change in the history. Must run in the change's last transaction. */
export async function recordInHistory(client: pg.Client, { migration, direction }: Change): Promise<void> {
  const { name } = migration;
  const { rowCount } = await client.query(historyStatements[direction], [name]);
  const what = direction === "up" ? "applied" : "reverted";
  if (rowCount === 0)
    throw new MigrationError(`another instance ${what} ${name} in the meantime: migrate again`);
  if (direction === "down") await client.query(`delete from ${checksumTable} where name = $1`, [name]);
  else await client.query(`insert into ${checksumTable} values ($1, $2)`, [name, checksumOf(migration)]);
}

async function claimPreparation(client: pg.Client, { migration }: Change, token: string): Promise<void> {
  const { name } = migration;
  const { rowCount } = await client.query(`delete from ${preparationTable} where name = $1 and run = $2`, [
    name,
    token,
  ]);
  if (rowCount === 0)
    throw new MigrationError(`another instance removed the preparation of ${name}: migrate again`);
}
