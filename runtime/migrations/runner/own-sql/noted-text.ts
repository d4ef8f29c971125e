import { needsNoTransaction, sqlStatements } from "../../../../vocabulary/migrations/sql-problems.ts";
import type { Run } from "../apply/main-transaction.ts";
import { retryOnLock } from "../apply/patience.ts";
import { StepFailure } from "../apply/perform.ts";
import { inTransaction } from "../apply/unfinished.ts";
import type { Change, SqlChange } from "../plan/migration-change.ts";
import { describePlace, runText } from "./perform-text.ts";
import { dropUnfinishedIndex } from "./unfinished-index.ts";

/** A text, and how its progress is recorded. */
export interface RecordedText {
  readonly change: Change;
  readonly sql: SqlChange;
  readonly at: number;
  /** An earlier attempt may have left something of it. */
  readonly wasBegun: boolean;
  /** Records the start, if the text cannot run in one transaction with the record of its end. */
  noteBegun(): Promise<unknown>;
  noteDone(): Promise<unknown>;
}

/** Runs a text and records it, in one transaction if PostgreSQL allows that. Throws a StepFailure. */
export async function runRecorded(run: Run, text: RecordedText): Promise<void> {
  if (await tryInTransaction(run, text)) return;
  await text.noteBegun();
  await runOutsideTransaction(run, text);
  await text.noteDone();
}

/** Returns whether PostgreSQL accepts the text in a transaction; if not, nothing of the text remains. */
async function tryInTransaction({ lock, timing, watch }: Run, noted: RecordedText): Promise<boolean> {
  const { change, at } = noted;
  const text = textOf(noted);
  if (sqlStatements(text).some(needsNoTransaction)) return false;
  try {
    await retryOnLock(timing, watch.log, async () => {
      await lock.requireHeld();
      await inTransaction(lock.client, async () => {
        await runText(lock.client, change, describePlace(change, at), text, watch);
        await lock.resetSettings();
        await noted.noteDone();
      });
    });
    return true;
  } catch (error) {
    if (error instanceof StepFailure && isTransactionRefusal(error.cause)) return false;
    throw error;
  }
}

/** PostgreSQL's codes of a statement that it refuses in a transaction, and of one that ends its transaction by itself. */
const transactionRefusalCodes: ReadonlySet<unknown> = new Set(["25001", "2D000"]);

function isTransactionRefusal(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && transactionRefusalCodes.has(cause.code);
}

/** Outside any transaction. */
async function runOutsideTransaction({ lock, timing, watch }: Run, noted: RecordedText): Promise<void> {
  const { client } = lock;
  const { change, at } = noted;
  const text = textOf(noted);
  let again = noted.wasBegun;
  await retryOnLock(timing, watch.log, async () => {
    await lock.requireHeld();
    // These block no other client, so they can wait for old transactions without a limit.
    if (/\bconcurrently\b/i.test(text)) await client.query("set lock_timeout = 0");
    if (again) await dropUnfinishedIndex(client, text);
    again = true;
    try {
      await runText(client, change, describePlace(change, at), text, watch);
    } catch (error) {
      await dropUnfinishedIndex(client, text).catch(() => {});
      throw error;
    } finally {
      await lock.resetSettings().catch(() => {});
    }
  });
}

function textOf({ sql, at }: RecordedText): string {
  return sql.texts[at] ?? "";
}
