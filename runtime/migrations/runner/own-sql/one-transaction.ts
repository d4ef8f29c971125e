import { type Run, recordInHistory } from "../apply/main-transaction.ts";
import { retryOnLock } from "../apply/patience.ts";
import { inTransaction } from "../apply/unfinished.ts";
import { tablesNow } from "../drift/live-tables.ts";
import { objectsCreatedBetween } from "../drift/made-by-own-sql.ts";
import { deleteCustomObjects, recordCustomObjects } from "../history/made-objects.ts";
import { deleteSqlProgress } from "../history/sql-progress.ts";
import { MigrationError } from "../migration-error.ts";
import type { Change, SqlChange } from "../plan/migration-change.ts";
import { describePlace, runText } from "./perform-text.ts";

/** Applies or takes back own SQL together with its rows of the history, in one transaction. Throws a StepFailure. */
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

/** Runs all texts in the transaction that is open, and sees to it that it is the same one afterwards. */
export async function runTextsInTransaction(run: Run, change: Change, sql: SqlChange): Promise<void> {
  const { client } = run.lock;
  const token = await transactionId(run);
  for (const [at, text] of sql.texts.entries())
    await runText(client, change, describePlace(change, at), text, run.watch);
  await run.lock.resetSettings();
  if ((await transactionId(run)) !== token)
    throw new MigrationError(
      `${change.migration.name} ended the transaction that it runs in, and what came before that stays: undo it by hand`,
    );
}

/** Records the objects that own SQL made, compared with the tables before it. */
export async function recordCreatedObjects(
  { lock }: Run,
  name: string,
  before: Parameters<typeof objectsCreatedBetween>[1],
): Promise<void> {
  await recordCustomObjects(lock.client, objectsCreatedBetween(name, before, await tablesNow(lock.client)));
}

/** Records that a migration of own SQL is reverted. A partly applied migration is not in the history yet. */
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
