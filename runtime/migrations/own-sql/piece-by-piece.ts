import { inWords } from "../apply/in-words.ts";
import { note, type Run } from "../apply/main-transaction.ts";
import { patiently } from "../apply/patience.ts";
import { StepFailure } from "../apply/perform.ts";
import { inTransaction } from "../apply/unfinished.ts";
import { liveTables } from "../drift/live-tables.ts";
import { beginSql, begunSql, catalogBefore, endSql, type SqlPosition } from "../history/sql-progress.ts";
import type { Change, SqlChange } from "../plan/migration-change.ts";
import { backFill, noted } from "./back-fill.ts";
import { checksumOfDone, doneInWords, requireSamePieces } from "./done-pieces.ts";
import { noteMade, noteTakenBack, performTexts } from "./one-transaction.ts";
import { performText, placeOfText } from "./perform-text.ts";
import { dropUnfinishedIndex } from "./unfinished-index.ts";

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
 * Applies own SQL that is no single transaction, from where a stop left it: what is done is noted, and stays when something
 * fails. Throws a MigrationError that says how far it is.
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

/** Takes own SQL back that is no single transaction; after a stop it begins anew. Throws a StepFailure. */
export async function takeBackPieces(run: Run, change: Change, sql: SqlChange): Promise<void> {
  for (const [at] of sql.texts.entries()) await alone(run, change, sql, at, true);
  await inTransaction(run.lock.client, () => noteTakenBack(run, change));
}

async function begin(run: Run, change: Change, sql: SqlChange): Promise<SqlPosition> {
  const { client } = run.lock;
  const { name } = change.migration;
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

async function texts(run: Run, change: Change, sql: SqlChange, from: SqlPosition): Promise<SqlPosition> {
  if (from.texts === sql.texts.length) return from;
  if (sql.inTransaction) return together(run, change, sql, from);
  let at = from;
  while (at.texts < sql.texts.length) {
    const wasBegun = at.running;
    await noted(run, change, sql, { ...at, running: true });
    await alone(run, change, sql, at.texts, wasBegun);
    at = await noted(run, change, sql, { ...at, texts: at.texts + 1, running: false });
  }
  return at;
}

/** All texts in one transaction, with the note that they are done. */
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

/** One text outside any transaction; `wasBegun` says that an earlier attempt may have left something of it. */
async function alone(run: Run, change: Change, sql: SqlChange, at: number, wasBegun: boolean): Promise<void> {
  const { lock, timing, watch } = run;
  const { client } = lock;
  const text = sql.texts[at] ?? "";
  let again = wasBegun;
  await patiently(timing, watch.log, async () => {
    await lock.requireHeld();
    // Nobody queues behind these, so they may wait for old transactions as long as it takes.
    if (/\bconcurrently\b/i.test(text)) await client.query("set lock_timeout = 0");
    if (again) await dropUnfinishedIndex(client, text);
    again = true;
    try {
      await performText(client, change, placeOfText(change, at), text, watch);
    } catch (error) {
      await dropUnfinishedIndex(client, text).catch(() => {});
      throw error;
    } finally {
      await lock.resetSettings().catch(() => {});
    }
  });
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
