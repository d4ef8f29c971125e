import { asMigrationError } from "../apply/in-words.ts";
import { type Run, recordInHistory } from "../apply/main-transaction.ts";
import { retryOnLock } from "../apply/patience.ts";
import { StepFailure } from "../apply/perform.ts";
import { inTransaction } from "../apply/unfinished.ts";
import { liveTables } from "../drift/live-tables.ts";
import {
  catalogBefore,
  deleteSqlProgress,
  insertSqlProgress,
  readSqlProgress,
  type SqlPosition,
} from "../history/sql-progress.ts";
import {
  createRevertProgress,
  deleteRevertProgress,
  recordRevertedTexts,
  requireNotReverting,
  revertedTexts,
} from "../history/sql-taken-back.ts";
import type { Change, SqlChange } from "../plan/migration-change.ts";
import { backFill, recordPosition } from "./back-fill.ts";
import { checksumOfDone, describeProgress, requireSamePieces } from "./done-pieces.ts";
import { runRecorded } from "./noted-text.ts";
import { recordCreatedObjects, recordReverted, runTextsInTransaction } from "./one-transaction.ts";

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
 * Applies own SQL that cannot run in a single transaction, from the point where a stop left it. Finished
 * parts are recorded and stay after a failure. Throws a MigrationError that describes the progress.
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

/** Reverts own SQL of several transactions from where a stop left it. Throws a StepFailure. */
export async function revertPieces(run: Run, change: Change, sql: SqlChange): Promise<void> {
  const { client } = run.lock;
  const { name } = change.migration;
  await createRevertProgress(client);
  for (let at = await revertedTexts(client, name, sql.texts); at < sql.texts.length; at++)
    await runRecorded(run, {
      ...{ change, sql, at, wasBegun: true },
      noteBegun: async () => {},
      noteDone: () => recordRevertedTexts(client, name, sql.texts.slice(0, at + 1)),
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
      `${name} was left half-way: going on (${describeProgress(begun)})`,
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
    const noteDone = async () => {
      at = await recordPosition(run, change, sql, { ...from, texts: from.texts + 1, running: false });
    };
    const noteBegun = () => recordPosition(run, change, sql, { ...from, running: true });
    await runRecorded(run, {
      ...{ change, sql, at: from.texts, wasBegun: from.running },
      ...{ noteBegun, noteDone },
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
      at = await recordPosition(run, change, sql, { ...from, texts: sql.texts.length });
    });
  });
  return at;
}

/** How things stand after a failure. What was begun and of which nothing is done is forgotten. */
async function describeOutcome({ lock }: Run, name: string): Promise<string> {
  const stays = "what is done of it stays, and npm run migrate goes on there";
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
