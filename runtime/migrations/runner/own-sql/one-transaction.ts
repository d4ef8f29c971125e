import { note, type Run } from "../apply/main-transaction.ts";
import { patiently } from "../apply/patience.ts";
import { inTransaction } from "../apply/unfinished.ts";
import { tablesNow } from "../drift/live-tables.ts";
import { madeBetween } from "../drift/made-by-own-sql.ts";
import { forgetMadeObjects, noteMadeObjects } from "../history/made-objects.ts";
import { endSql } from "../history/sql-progress.ts";
import { MigrationError } from "../migration-error.ts";
import type { Change, SqlChange } from "../plan/migration-change.ts";
import { performText, placeOfText } from "./perform-text.ts";

/** Applies or takes back own SQL together with its rows of the history, in one transaction. Throws a StepFailure. */
export async function inOneTransaction(run: Run, change: Change, sql: SqlChange): Promise<void> {
  const { client } = run.lock;
  const { name } = change.migration;
  await patiently(run.timing, run.watch.log, async () => {
    await run.lock.requireHeld();
    await inTransaction(client, async () => {
      const before = change.direction === "up" ? await tablesNow(client) : [];
      await performTexts(run, change, sql);
      if (change.direction === "down") return noteTakenBack(run, change);
      await noteMade(run, name, before);
      await note(client, change);
    });
  });
}

/** Runs all texts in the transaction that is open, and sees to it that it is the same one afterwards. */
export async function performTexts(run: Run, change: Change, sql: SqlChange): Promise<void> {
  const { client } = run.lock;
  const token = await transactionOf(run);
  for (const [at, text] of sql.texts.entries())
    await performText(client, change, placeOfText(change, at), text, run.watch);
  await run.lock.resetSettings();
  if ((await transactionOf(run)) !== token)
    throw new MigrationError(
      `${change.migration.name} ended the transaction that it runs in, and what came before that stays: undo it by hand`,
    );
}

/** Records the objects that own SQL made, compared with the tables before it. */
export async function noteMade(
  { lock }: Run,
  name: string,
  before: Parameters<typeof madeBetween>[1],
): Promise<void> {
  await noteMadeObjects(lock.client, madeBetween(name, before, await tablesNow(lock.client)));
}

/** Records that a migration of own SQL is reverted. A partly applied migration is not in the history yet. */
export async function noteTakenBack({ lock }: Run, change: Change): Promise<void> {
  const { name } = change.migration;
  await forgetMadeObjects(lock.client, name);
  const wasBegun = await endSql(lock.client, name);
  if (!wasBegun) await note(lock.client, change);
}

async function transactionOf({ lock }: Run): Promise<string> {
  const { rows } = await lock.client.query<{ id: string }>("select pg_current_xact_id()::text as id");
  return rows[0]?.id ?? "";
}
