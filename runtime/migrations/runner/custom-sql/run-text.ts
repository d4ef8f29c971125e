import pg from "pg";
import { needsNoTransaction, sqlStatements } from "../../../../vocabulary/migrations/sql-problems.ts";
import type { Run } from "../apply/main-transaction.ts";
import { retryOnLock } from "../apply/retry-on-lock.ts";
import { StepFailure } from "../apply/run-statements.ts";
import { inTransaction } from "../apply/unfinished.ts";
import { type Watch, withProgressLog } from "../apply/watch-progress.ts";
import type { Change, SqlChange } from "../plan/migration-change.ts";
import { sqlName } from "../steps/quoting.ts";

/** The position of a text in its migration, for messages. */
export function describePlace({ sql }: Change, at: number): string {
  const count = sql?.texts.length ?? 0;
  return count === 1 ? "its SQL" : `text ${at + 1} of ${count}`;
}

/** Runs a text of custom SQL on a connection. Throws a StepFailure. */
export async function runText(
  connection: pg.ClientBase,
  change: Change,
  place: string,
  sql: string,
  watch: Watch,
): Promise<void> {
  const what = `${change.migration.name}, ${place}`;
  watch.log.debug({ migration: change.migration.name }, what);
  const { rows } = await connection.query<{ pid: number }>("select pg_backend_pid() as pid");
  try {
    await withProgressLog(watch, what, rows[0]?.pid ?? 0, () => connection.query(sql));
  } catch (error) {
    throw new StepFailure(change, place, error, lineOf(sql, error));
  }
}

/** The line of a text to which an error refers, such as ` (line 3)`; empty if unknown. */
export function lineOf(sql: string, error: unknown): string {
  const position = error instanceof pg.DatabaseError ? Number(error.position ?? Number.NaN) : Number.NaN;
  if (Number.isNaN(position)) return "";
  return ` (line ${[...sql].slice(0, position).join("").split("\n").length})`;
}

/** A text, and how its progress is recorded. */
export interface RecordedText {
  readonly change: Change;
  readonly sql: SqlChange;
  readonly at: number;
  /** Whether an interrupted attempt can have left an invalid index. */
  readonly wasBegun: boolean;
  /** Records the start, if the text cannot run in one transaction with the record of its end. */
  recordStart(): Promise<unknown>;
  recordEnd(): Promise<unknown>;
}

/** Runs a text and records it, in one transaction if PostgreSQL allows that. Throws a StepFailure. */
export async function runRecorded(run: Run, text: RecordedText): Promise<void> {
  if (await tryInTransaction(run, text)) return;
  await text.recordStart();
  await runOutsideTransaction(run, text);
  await text.recordEnd();
}

/** Returns whether PostgreSQL accepts the text in a transaction; if not, nothing of the text remains. */
async function tryInTransaction({ lock, timing, watch }: Run, recorded: RecordedText): Promise<boolean> {
  const { change, at } = recorded;
  const text = textOf(recorded);
  if (sqlStatements(text).some(needsNoTransaction)) return false;
  try {
    await retryOnLock(timing, watch.log, async () => {
      await lock.requireHeld();
      await inTransaction(lock.client, async () => {
        await runText(lock.client, change, describePlace(change, at), text, watch);
        await lock.resetSettings();
        await recorded.recordEnd();
      });
    });
    return true;
  } catch (error) {
    if (error instanceof StepFailure && isTransactionRefusal(error.cause)) return false;
    throw error;
  }
}

/** PostgreSQL's codes for statements that cannot run in a transaction, or that end it. */
const transactionRefusalCodes: ReadonlySet<unknown> = new Set(["25001", "2D000"]);

function isTransactionRefusal(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && transactionRefusalCodes.has(cause.code);
}

/** Runs a text outside of transactions. */
async function runOutsideTransaction({ lock, timing, watch }: Run, recorded: RecordedText): Promise<void> {
  const { client } = lock;
  const { change, at } = recorded;
  const text = textOf(recorded);
  let isRetry = recorded.wasBegun;
  await retryOnLock(timing, watch.log, async () => {
    await lock.requireHeld();
    // These block no other client, so they can wait for old transactions without a limit.
    if (/\bconcurrently\b/i.test(text)) await client.query("set lock_timeout = 0");
    if (isRetry) await dropUnfinishedIndex(client, text);
    isRetry = true;
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

const createIndexPattern =
  /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?("(?:[^"]|"")+"|\w+)/i;

/** Drops the invalid index of a failed concurrent build, which IF NOT EXISTS would accept. */
export async function dropUnfinishedIndex(client: pg.Client, sql: string): Promise<void> {
  const [, index] = createIndexPattern.exec(sql) ?? [];
  if (index === undefined) return;
  const { rows } = await client.query<{ schema: string; name: string }>(
    `select nspname::text as schema, relname::text as name from pg_index
      join pg_class c on c.oid = indexrelid join pg_namespace n on n.oid = relnamespace
      where indexrelid = to_regclass($1) and not indisvalid`,
    [index],
  );
  for (const found of rows)
    await client.query(`drop index concurrently if exists ${sqlName(found.schema)}.${sqlName(found.name)}`);
}
