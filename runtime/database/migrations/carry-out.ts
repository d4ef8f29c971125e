import type { Logger } from "pino";
import type { Change } from "./change.ts";
import type { MigrationLock } from "./lock.ts";
import type { Migrator } from "./migrator.ts";
import { patiently } from "./patience.ts";
import { perform, StepFailure } from "./perform.ts";
import type { Watch } from "./progress.ts";
import type { Timing } from "./timing.ts";
import { createProgressTable, inTransaction, noteProgress, undo } from "./unfinished.ts";

/** What a run has while it holds the lock. */
export interface Run {
  readonly lock: MigrationLock;
  readonly migrator: Migrator;
  readonly timing: Timing;
  readonly log: Logger;
}

/**
 * Applies a migration, or takes it back: what can be prepared while everybody works, then the transaction in which it
 * comes true. Throws a MigrationError that names the step; the database is then as it was.
 */
export async function carryOut(run: Run, change: Change): Promise<void> {
  const { lock, migrator, timing, log } = run;
  try {
    if (change.plan.online.length > 0) await prepare(run, change);
    lock.assertHeld();
    await patiently(timing, log, () => migrator.run(change));
  } catch (error) {
    const outcome = await undone(run, change);
    throw error instanceof StepFailure ? error.toMigrationError(outcome) : error;
  }
}

/**
 * All on the connection that holds the lock: when the process is killed, no other instance gets the lock before
 * PostgreSQL has ended what was running.
 */
async function prepare({ lock: { client }, migrator, timing, log }: Run, change: Change): Promise<void> {
  const { plan, migration } = change;
  const watch: Watch = {
    log,
    progressMs: timing.progressMs,
    observe: (text, values) => migrator.query(text, values),
  };
  await createProgressTable(client);
  await patiently(timing, log, () =>
    inTransaction(client, async () => {
      await noteProgress(client, migration.name, plan.undo);
      await perform(client, change, plan.ahead, watch);
    }),
  );
  // Those who come later do not queue behind these statements, so they may wait for old transactions as long as it takes.
  await client.query("SET lock_timeout = 0");
  await perform(client, change, plan.online, watch);
  await client.query(`SET lock_timeout = ${timing.lockTimeoutMs}`);
}

/** Undoes what was prepared, and says how things stand. */
async function undone({ lock: { client }, timing, log }: Run, change: Change): Promise<string> {
  const { migration, direction, plan } = change;
  const nothing = `nothing of it was ${direction === "up" ? "applied" : "taken back"}`;
  if (plan.online.length === 0) return nothing;
  try {
    await client.query(`SET lock_timeout = ${timing.lockTimeoutMs}`);
    await undo(client, migration.name, timing, log);
    return nothing;
  } catch (error) {
    log.warn(
      { err: error, migration: migration.name },
      `what was prepared for ${migration.name} is still there`,
    );
    return "what was prepared for it is undone when migrations run again";
  }
}
