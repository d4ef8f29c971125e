import type pg from "pg";
import type { Logger } from "pino";
import { preparationTable, tableExists } from "../history/history-tables.ts";
import { MigrationError } from "../migration-error.ts";
import { lockOf, readUndo, type Undo, undoToSql } from "../plan/undo.ts";
import { lockTables } from "./lock-tables.ts";
import { retryOnLock } from "./retry-on-lock.ts";
import type { Timing } from "./timing.ts";

export async function createProgressTable(client: pg.Client): Promise<void> {
  await client.query(
    `create table if not exists ${preparationTable} (name text primary key, undo jsonb not null, run text not null)`,
  );
}

/** Must run in the transaction of the preparation. `run` identifies the run that prepares. */
export async function recordPreparation(
  client: pg.Client,
  name: string,
  undo: readonly Undo[],
  run: string,
): Promise<void> {
  await client.query(`insert into ${preparationTable} (name, undo, run) values ($1, $2, $3)`, [
    name,
    JSON.stringify(undo),
    run,
  ]);
}

/** The migrations that have a preparation. */
export async function unfinishedMigrations(client: pg.Client): Promise<string[]> {
  if (!(await tableExists(client, preparationTable))) return [];
  const { rows } = await client.query<{ name: string }>(`select name from ${preparationTable} order by name`);
  return rows.map(({ name }) => name);
}

/** Cleans up after a run that was killed or lost its connection, even if its migration no longer exists. */
export async function undoUnfinished(client: pg.Client, timing: Timing, log: Logger): Promise<void> {
  for (const name of await unfinishedMigrations(client)) {
    log.warn({ migration: name }, `${name} was interrupted: removing its preparation`);
    try {
      await undoPreparation(client, name, timing, log);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new MigrationError(`the preparation of ${name} cannot be removed: ${reason}`, { cause });
    }
  }
}

/** Removes the preparation of a migration, if there is one; with `run`, only that run's preparation. */
export async function undoPreparation(
  client: pg.Client,
  name: string,
  timing: Timing,
  log: Logger,
  run: string | null = null,
): Promise<void> {
  await retryOnLock(timing, log, () =>
    inTransaction(client, async () => {
      // Waits for a main transaction that is about to end. Its commit deletes the row.
      const { rows } = await client.query<{ undo: unknown }>(
        `delete from ${preparationTable} where name = $1 and run = coalesce($2, run) returning undo`,
        [name, run],
      );
      const entries = rows.flatMap((row) => readUndo(row.undo));
      await lockTables(client, entries.map(lockOf), timing.lockTimeoutMs, ({ sql }) => client.query(sql));
      for (const entry of entries) await client.query(undoToSql(entry));
    }),
  );
}

/** Runs `work` in a transaction on a connection. */
export async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query("begin");
  try {
    await work();
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}
