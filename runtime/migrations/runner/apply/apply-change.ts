import { randomUUID } from "node:crypto";
import type { Step } from "../../../../vocabulary/migrations/migration-steps.ts";
import { asMigrationError } from "../migration-error.ts";
import type { Change } from "../plan/migration-change.ts";
import type { OnlineStatement } from "../plan/online-plan.ts";
import { lockTables } from "./lock-tables.ts";
import { type Decide, type Run, runInTransaction } from "./main-transaction.ts";
import { retryOnLock } from "./retry-on-lock.ts";
import { runStatements, StepFailure } from "./run-statements.ts";
import { createProgressTable, inTransaction, recordPreparation, undoPreparation } from "./unfinished.ts";

/** The preparation of a change. Its token is unique to this run. */
interface Preparation {
  readonly token: string;
  isThere: boolean;
}

/**
 * Applies or reverts a migration: first the preparation, which blocks no other sessions, then the main
 * transaction. All statements run on the connection that holds the lock. If the process is killed, no other
 * instance gets the lock before PostgreSQL has ended the running statement. `decide` chooses the change before anything runs, and
 * again under the locks. Throws a MigrationError that names the step and the state of the database.
 */
export async function applyChange(run: Run, given: Change, decide: Decide): Promise<void> {
  const { timing, watch } = run;
  const change = await decide(given);
  const added: Step[] = [];
  const preparation: Preparation = { token: randomUUID(), isThere: false };
  const isOnline = change.plan.online.length > 0;
  try {
    for (const statement of change.plan.first) {
      await runOnlineStatement(run, change, statement);
      added.push(...change.steps.slice(statement.step, statement.step + 1));
    }
    if (isOnline) await prepare(run, change, preparation);
    const attempts = isOnline ? timing.lastAttempts : timing.attempts;
    await retryOnLock({ ...timing, attempts }, watch.log, () =>
      runInTransaction(run, change, preparation.token, decide),
    );
  } catch (error) {
    const outcome = `${await undoAndDescribe(run, change, preparation)}${staying(added)}`;
    if (error instanceof StepFailure) throw error.toMigrationError(outcome);
    throw added.length === 0 ? error : asMigrationError(error, `${change.migration.name} failed`, outcome);
  }
}

/** PostgreSQL cannot remove a value of an enum type. */
function staying(added: readonly Step[]): string {
  const values = added.flatMap((step) =>
    step.step === "add_enum_value" ? [`${step.value} of ${step.type}`] : [],
  );
  return values.length === 0 ? "" : `, except new values of enum types, which stay: ${values.join(", ")}`;
}

async function prepare(run: Run, change: Change, preparation: Preparation): Promise<void> {
  const { lock, timing, watch } = run;
  const { client } = lock;
  const { plan, migration } = change;
  await retryOnLock(timing, watch.log, async () => {
    await lock.requireHeld();
    await createProgressTable(client);
    await inTransaction(client, async () => {
      await recordPreparation(client, migration.name, plan.undo, preparation.token);
      await lockTables(client, plan.locks.ahead, timing.lockTimeoutMs, (statement) =>
        runStatements(client, change, [statement], watch),
      );
      await runStatements(client, change, plan.ahead, watch);
      preparation.isThere = true;
    });
  });
  // These statements block no other client, so they can wait for old transactions without a limit.
  await client.query("set lock_timeout = 0");
  for (const statement of plan.online) await runOnlineStatement(run, change, statement);
  await client.query(`set lock_timeout = ${timing.lockTimeoutMs}`);
}

/** Runs a statement outside of transactions, and retries it after a deadlock. */
async function runOnlineStatement(
  { lock, timing, watch }: Run,
  change: Change,
  statement: OnlineStatement,
): Promise<void> {
  const { step, cleanup } = statement;
  let hasFailed = false;
  await retryOnLock(timing, watch.log, async () => {
    await lock.requireHeld();
    if (hasFailed && cleanup !== undefined)
      await runStatements(lock.client, change, [{ step, sql: cleanup }], watch);
    hasFailed = true;
    await runStatements(lock.client, change, [statement], watch);
  });
}

/** Removes the preparation, and returns a description of the state. */
async function undoAndDescribe(run: Run, change: Change, { token, isThere }: Preparation): Promise<string> {
  const { lock, timing, watch } = run;
  const { migration, direction } = change;
  const nothing = `nothing of it was ${direction === "up" ? "applied" : "reverted"}`;
  if (!isThere) return nothing;
  try {
    await lock.requireHeld();
    await lock.client.query(`set lock_timeout = ${timing.lockTimeoutMs}`);
    await undoPreparation(lock.client, migration.name, timing, watch.log, token);
    return nothing;
  } catch (error) {
    watch.log.warn(
      { err: error, migration: migration.name },
      `the preparation of ${migration.name} could not be removed`,
    );
    return "its preparation is removed when migrations run again";
  }
}
