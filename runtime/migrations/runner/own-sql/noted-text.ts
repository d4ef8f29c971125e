import { needsNoTransaction, sqlStatements } from "../../../../vocabulary/migrations/sql-problems.ts";
import type { Run } from "../apply/main-transaction.ts";
import { patiently } from "../apply/patience.ts";
import { StepFailure } from "../apply/perform.ts";
import { inTransaction } from "../apply/unfinished.ts";
import type { Change, SqlChange } from "../plan/migration-change.ts";
import { performText, placeOfText } from "./perform-text.ts";
import { dropUnfinishedIndex } from "./unfinished-index.ts";

/** A text, and how its progress is recorded. */
export interface NotedText {
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
export async function performNoted(run: Run, text: NotedText): Promise<void> {
  if (await together(run, text)) return;
  await text.noteBegun();
  await alone(run, text);
  await text.noteDone();
}

/** Returns whether PostgreSQL accepts the text in a transaction; if not, nothing of the text remains. */
async function together({ lock, timing, watch }: Run, noted: NotedText): Promise<boolean> {
  const { change, at } = noted;
  const text = textOf(noted);
  if (sqlStatements(text).some(needsNoTransaction)) return false;
  try {
    await patiently(timing, watch.log, async () => {
      await lock.requireHeld();
      await inTransaction(lock.client, async () => {
        await performText(lock.client, change, placeOfText(change, at), text, watch);
        await lock.resetSettings();
        await noted.noteDone();
      });
    });
    return true;
  } catch (error) {
    if (error instanceof StepFailure && wantsNoTransaction(error.cause)) return false;
    throw error;
  }
}

/** PostgreSQL's codes of a statement that it refuses in a transaction, and of one that ends its transaction by itself. */
const codes: ReadonlySet<unknown> = new Set(["25001", "2D000"]);

function wantsNoTransaction(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && codes.has(cause.code);
}

/** Outside any transaction. */
async function alone({ lock, timing, watch }: Run, noted: NotedText): Promise<void> {
  const { client } = lock;
  const { change, at } = noted;
  const text = textOf(noted);
  let again = noted.wasBegun;
  await patiently(timing, watch.log, async () => {
    await lock.requireHeld();
    // These block no other client, so they can wait for old transactions without a limit.
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

function textOf({ sql, at }: NotedText): string {
  return sql.texts[at] ?? "";
}
