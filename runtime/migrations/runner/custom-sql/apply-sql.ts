import { type Run, recordInHistory } from "../apply/main-transaction.ts";
import { retryOnLock } from "../apply/retry-on-lock.ts";
import { StepFailure } from "../apply/run-statements.ts";
import { inTransaction } from "../apply/unfinished.ts";
import { liveTables, tablesNow } from "../drift/live-tables.ts";
import { objectsCreatedBetween } from "../drift/sql-additions.ts";
import { createCustomObjects, deleteCustomObjects, recordCustomObjects } from "../history/custom-objects.ts";
import {
  catalogBefore,
  createRevertProgress,
  createSqlProgress,
  deleteRevertProgress,
  deleteSqlProgress,
  insertSqlProgress,
  readSqlProgress,
  recordRevertedTexts,
  requireNotReverting,
  revertedTexts,
  type SqlPosition,
} from "../history/sql-progress.ts";
import { asMigrationError, MigrationError } from "../migration-error.ts";
import type { Change, SqlChange } from "../plan/migration-change.ts";
import { backFill } from "./back-fill.ts";
import { describePlace, runRecorded, runText } from "./run-text.ts";
import { checksumOfDone, describeProgress, recordSqlPosition, requireSamePieces } from "./sql-position.ts";

/** Applies or reverts a migration of custom SQL. Throws a MigrationError that describes where it stopped. */
export async function applySql(run: Run, change: Change, sql: SqlChange): Promise<void> {
  const { client } = run.lock;
  await createSqlProgress(client);
  await createCustomObjects(client);
  const isWhole = sql.inTransaction && sql.batches.length === 0;
  if (!isWhole && change.direction === "up") return applyPieces(run, change, sql);
  try {
    await (isWhole ? applyInOneTransaction(run, change, sql) : revertPieces(run, change, sql));
  } catch (error) {
    const done = change.direction === "up" ? "applied" : "reverted";
    const outcome = isWhole
      ? `nothing of it was ${done}`
      : "the finished part stays reverted, and npm run migrate -- down continues from there";
    throw error instanceof StepFailure ? error.toMigrationError(outcome) : error;
  }
}

/** Applies or reverts custom SQL and updates the history in one transaction. Throws a StepFailure. */
export async function applyInOneTransaction(run: Run, change: Change, sql: SqlChange): Promise<void> {
  const { client } = run.lock;
  const { name } = change.migration;
  await retryOnLock(run.timing, run.watch.log, async () => {
    await run.lock.requireHeld();
    await inTransaction(client, async () => {
      const before = change.direction === "up" ? await tablesNow(client) : [];
      await runTextsInTransaction(run, change, sql);
      if (change.direction === "down") return recordReverted(run, change);
      await recordCreatedObjects(run, name, before);
      await recordInHistory(client, change);
    });
  });
}

/** Runs all texts in the open transaction. Throws a MigrationError if they ended it. */
export async function runTextsInTransaction(run: Run, change: Change, sql: SqlChange): Promise<void> {
  const { client } = run.lock;
  const token = await transactionId(run);
  for (const [at, text] of sql.texts.entries())
    await runText(client, change, describePlace(change, at), text, run.watch);
  await run.lock.resetSettings();
  if ((await transactionId(run)) !== token)
    throw new MigrationError(
      `${change.migration.name} ended its own transaction, and its earlier statements stay applied: undo them by hand`,
    );
}

/** Records the objects that custom SQL created, by comparison with the tables before it. */
export async function recordCreatedObjects(
  { lock }: Run,
  name: string,
  before: Parameters<typeof objectsCreatedBetween>[1],
): Promise<void> {
  await recordCustomObjects(lock.client, objectsCreatedBetween(name, before, await tablesNow(lock.client)));
}

/** Records that custom SQL is reverted. A partly applied migration is not in the history yet. */
export async function recordReverted({ lock }: Run, change: Change): Promise<void> {
  const { name } = change.migration;
  await deleteCustomObjects(lock.client, name);
  const wasBegun = await deleteSqlProgress(lock.client, name);
  if (!wasBegun) await recordInHistory(lock.client, change);
}

async function transactionId({ lock }: Run): Promise<string> {
  const { rows } = await lock.client.query<{ id: string }>("select pg_current_xact_id()::text as id");
  return rows[0]?.id ?? "";
}

const startPosition: Omit<SqlPosition, "done"> = {
  texts: 0,
  running: false,
  batches: 0,
  highest: null,
  position: null,
  rows: 0,
  percent: null,
};

/**
 * Applies custom SQL that cannot run in a single transaction, from the point where it was interrupted.
 * Finished parts are recorded and stay after a failure. Throws a MigrationError that describes the progress.
 */
export async function applyPieces(run: Run, change: Change, sql: SqlChange): Promise<void> {
  const { client } = run.lock;
  const { name } = change.migration;
  let at = await startOrResume(run, change, sql);
  try {
    at = await runTexts(run, change, sql, at);
    while (at.batches < sql.batches.length) at = await backFill(run, change, sql, at);
    await retryOnLock(run.timing, run.watch.log, async () => {
      await run.lock.requireHeld();
      await inTransaction(client, async () => {
        await recordCreatedObjects(run, name, await catalogBefore(client, name));
        await deleteSqlProgress(client, name);
        await recordInHistory(client, change);
      });
    });
  } catch (error) {
    const outcome = await describeOutcome(run, name);
    throw error instanceof StepFailure
      ? error.toMigrationError(outcome)
      : asMigrationError(error, `${name} failed`, outcome);
  }
}

/** Reverts custom SQL of several transactions from where it was interrupted. Throws a StepFailure. */
export async function revertPieces(run: Run, change: Change, sql: SqlChange): Promise<void> {
  const { client } = run.lock;
  const { name } = change.migration;
  await createRevertProgress(client);
  for (let at = await revertedTexts(client, name, sql.texts); at < sql.texts.length; at++)
    await runRecorded(run, {
      ...{ change, sql, at, wasBegun: true },
      recordStart: async () => {},
      recordEnd: () => recordRevertedTexts(client, name, sql.texts.slice(0, at + 1)),
    });
  await inTransaction(client, async () => {
    await deleteRevertProgress(client, name);
    await recordReverted(run, change);
  });
}

async function startOrResume(run: Run, change: Change, sql: SqlChange): Promise<SqlPosition> {
  const { client } = run.lock;
  const { name } = change.migration;
  await requireNotReverting(client, name);
  const begun = (await readSqlProgress(client)).find((progress) => progress.name === name);
  if (begun !== undefined) {
    requireSamePieces(sql, begun);
    run.watch.log.info(
      { migration: name },
      `${name} was interrupted: continuing (${describeProgress(begun)})`,
    );
    return begun;
  }
  const position = { ...startPosition, done: checksumOfDone(sql, startPosition) };
  await insertSqlProgress(client, name, position.done, await liveTables(client, run.timing, run.watch.log));
  return position;
}

async function runTexts(run: Run, change: Change, sql: SqlChange, start: SqlPosition): Promise<SqlPosition> {
  if (start.texts === sql.texts.length) return start;
  if (sql.inTransaction) return runInOneTransaction(run, change, sql, start);
  let at = start;
  while (at.texts < sql.texts.length) {
    const from = at;
    const recordEnd = async () => {
      at = await recordSqlPosition(run, change, sql, { ...from, texts: from.texts + 1, running: false });
    };
    const recordStart = () => recordSqlPosition(run, change, sql, { ...from, running: true });
    await runRecorded(run, {
      ...{ change, sql, at: from.texts, wasBegun: from.running },
      ...{ recordStart, recordEnd },
    });
  }
  return at;
}

/** Runs all texts in one transaction with the record that they are done. */
async function runInOneTransaction(
  run: Run,
  change: Change,
  sql: SqlChange,
  from: SqlPosition,
): Promise<SqlPosition> {
  let at = from;
  await retryOnLock(run.timing, run.watch.log, async () => {
    await run.lock.requireHeld();
    await inTransaction(run.lock.client, async () => {
      await runTextsInTransaction(run, change, sql);
      at = await recordSqlPosition(run, change, sql, { ...from, texts: sql.texts.length });
    });
  });
  return at;
}

/** Describes the state after a failure. Deletes the progress if nothing was finished. */
async function describeOutcome({ lock }: Run, name: string): Promise<string> {
  const stays = "the finished part stays, and npm run migrate continues from there";
  try {
    const begun = (await readSqlProgress(lock.client)).find((progress) => progress.name === name);
    if (begun === undefined) return stays;
    const isNothing = begun.texts + begun.batches === 0 && begun.highest === null;
    if (!isNothing) return `${stays} (${describeProgress(begun)})`;
    await deleteSqlProgress(lock.client, name);
    return "nothing of it was applied";
  } catch {
    return stays;
  }
}
