import { inWords } from "../apply/in-words.ts";
import { note, type Run } from "../apply/main-transaction.ts";
import { patiently } from "../apply/patience.ts";
import { StepFailure } from "../apply/perform.ts";
import { inTransaction } from "../apply/unfinished.ts";
import { liveTables } from "../drift/live-tables.ts";
import { beginSql, begunSql, catalogBefore, endSql, type SqlPosition } from "../history/sql-progress.ts";
import {
  createTakenBack,
  forgetTakenBack,
  noteTextsTakenBack,
  requireNotTakenBack,
  textsTakenBack,
} from "../history/sql-taken-back.ts";
import type { Change, SqlChange } from "../plan/migration-change.ts";
import { backFill, noted } from "./back-fill.ts";
import { checksumOfDone, doneInWords, requireSamePieces } from "./done-pieces.ts";
import { performNoted } from "./noted-text.ts";
import { noteMade, noteTakenBack, performTexts } from "./one-transaction.ts";

const nothing: Omit<SqlPosition, "done"> = {
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
  let at = await begin(run, change, sql);
  try {
    at = await texts(run, change, sql, at);
    while (at.batches < sql.batches.length) at = await backFill(run, change, sql, at);
    await patiently(run.timing, run.watch.log, async () => {
      await run.lock.requireHeld();
      await inTransaction(client, async () => {
        await noteMade(run, name, await catalogBefore(client, name));
        await endSql(client, name);
        await note(client, change);
      });
    });
  } catch (error) {
    const outcome = await outcomeOf(run, name);
    throw error instanceof StepFailure
      ? error.toMigrationError(outcome)
      : inWords(error, `${name} failed`, outcome);
  }
}

/** Reverts own SQL of several transactions from where a stop left it. Throws a StepFailure. */
export async function takeBackPieces(run: Run, change: Change, sql: SqlChange): Promise<void> {
  const { client } = run.lock;
  const { name } = change.migration;
  await createTakenBack(client);
  for (let at = await textsTakenBack(client, name, sql.texts); at < sql.texts.length; at++)
    await performNoted(run, {
      ...{ change, sql, at, wasBegun: true },
      noteBegun: async () => {},
      noteDone: () => noteTextsTakenBack(client, name, sql.texts.slice(0, at + 1)),
    });
  await inTransaction(client, async () => {
    await forgetTakenBack(client, name);
    await noteTakenBack(run, change);
  });
}

async function begin(run: Run, change: Change, sql: SqlChange): Promise<SqlPosition> {
  const { client } = run.lock;
  const { name } = change.migration;
  await requireNotTakenBack(client, name);
  const begun = (await begunSql(client)).find((progress) => progress.name === name);
  if (begun !== undefined) {
    requireSamePieces(sql, begun);
    run.watch.log.info({ migration: name }, `${name} was left half-way: going on (${doneInWords(begun)})`);
    return begun;
  }
  const position = { ...nothing, done: checksumOfDone(sql, nothing) };
  await beginSql(client, name, position.done, await liveTables(client, run.timing, run.watch.log));
  return position;
}

async function texts(run: Run, change: Change, sql: SqlChange, start: SqlPosition): Promise<SqlPosition> {
  if (start.texts === sql.texts.length) return start;
  if (sql.inTransaction) return together(run, change, sql, start);
  let at = start;
  while (at.texts < sql.texts.length) {
    const from = at;
    const noteDone = async () => {
      at = await noted(run, change, sql, { ...from, texts: from.texts + 1, running: false });
    };
    const noteBegun = () => noted(run, change, sql, { ...from, running: true });
    await performNoted(run, {
      ...{ change, sql, at: from.texts, wasBegun: from.running },
      ...{ noteBegun, noteDone },
    });
  }
  return at;
}

/** Runs all texts in one transaction with the record that they are done. */
async function together(run: Run, change: Change, sql: SqlChange, from: SqlPosition): Promise<SqlPosition> {
  let at = from;
  await patiently(run.timing, run.watch.log, async () => {
    await run.lock.requireHeld();
    await inTransaction(run.lock.client, async () => {
      await performTexts(run, change, sql);
      at = await noted(run, change, sql, { ...from, texts: sql.texts.length });
    });
  });
  return at;
}

/** How things stand after a failure. What was begun and of which nothing is done is forgotten. */
async function outcomeOf({ lock }: Run, name: string): Promise<string> {
  const stays = "what is done of it stays, and npm run migrate goes on there";
  try {
    const begun = (await begunSql(lock.client)).find((progress) => progress.name === name);
    if (begun === undefined) return stays;
    const isNothing = begun.texts + begun.batches === 0 && begun.highest === null;
    if (!isNothing) return `${stays} (${doneInWords(begun)})`;
    await endSql(lock.client, name);
    return "nothing of it was applied";
  } catch {
    return stays;
  }
}
