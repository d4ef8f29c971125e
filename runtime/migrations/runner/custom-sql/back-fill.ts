import type { SqlBatches } from "../../../../vocabulary/migrations/sql-migration.ts";
import type { Run } from "../apply/main-transaction.ts";
import { retryOnLock } from "../apply/retry-on-lock.ts";
import { StepFailure } from "../apply/run-statements.ts";
import { inTransaction } from "../apply/unfinished.ts";
import type { SqlPosition } from "../history/sql-progress.ts";
import type { Change, SqlChange } from "../plan/migration-change.ts";
import { sqlName } from "../steps/quoting.ts";
import { lineOf } from "./run-text.ts";
import { recordSqlPosition } from "./sql-position.ts";

/**
 * Continues the back-fill at a position, up to the highest id that existed when it began. A batch and its
 * record are one transaction, so after a stop each row is done once or not yet. Throws a StepFailure.
 */
export async function backFill(
  run: Run,
  change: Change,
  sql: SqlChange,
  from: SqlPosition,
): Promise<SqlPosition> {
  const batches = sql.batches[from.batches];
  if (batches === undefined) return from;
  const ends = await idRange(run, batches);
  const highest = from.highest ?? ends.highest;
  let at = { ...from, highest };
  const report = progressReporter(run, change, batches);
  while (highest !== null) {
    const next = await runBatch(run, change, { sql, batches, at, lowest: ends.lowest });
    if (next === null) break;
    at = next;
    report(at);
  }
  const done = { ...at, batches: from.batches + 1, highest: null, position: null, percent: null };
  return recordSqlPosition(run, change, sql, done);
}

interface BatchContext {
  readonly sql: SqlChange;
  readonly batches: SqlBatches;
  readonly at: SqlPosition;
  readonly lowest: string | null;
}

/** Runs the next batch. Returns the position after it, or null if no rows are left. */
async function runBatch(run: Run, change: Change, place: BatchContext): Promise<SqlPosition | null> {
  const { client } = run.lock;
  const { batches, at, lowest } = place;
  const { lastAttempts } = run.timing;
  return retryOnLock({ ...run.timing, attempts: lastAttempts }, run.watch.log, async () => {
    await run.lock.requireHeld();
    let next: SqlPosition | null = null;
    await inTransaction(client, async () => {
      const found = await nextIds(run, batches, at);
      if (found === null) return;
      try {
        await client.query(batches.sql, [found.low, found.high]);
      } catch (error) {
        const where = `the batch of ${batches.table} from id ${found.low} to ${found.high}`;
        throw new StepFailure(change, where, error, lineOf(batches.sql, error));
      }
      const percent = percentOf(lowest, found.high, at.highest);
      next = await recordSqlPosition(run, change, place.sql, {
        ...at,
        position: found.high,
        rows: at.rows + found.rows,
        percent,
      });
    });
    return next;
  });
}

async function idRange({ lock }: Run, { table }: SqlBatches) {
  const { rows } = await lock.client.query<{ lowest: string | null; highest: string | null }>(
    // The aliases matter: without them `order by id` would sort by the output column, which is text.
    `select (select id::text as lowest from ${sqlName(table)} order by id limit 1),
      (select id::text as highest from ${sqlName(table)} order by id desc limit 1)`,
  );
  return rows[0] ?? { lowest: null, highest: null };
}

interface Ids {
  readonly low: string;
  readonly high: string;
  readonly rows: number;
}

/** The lowest and the highest id of the next rows. */
async function nextIds(
  { lock }: Run,
  { table, size }: SqlBatches,
  { position, highest }: SqlPosition,
): Promise<Ids | null> {
  const after = position === null ? "" : "and id > $3";
  const { rows } = await lock.client.query<Ids>(
    `with batch as materialized (select id from ${sqlName(table)} where id <= $1 ${after} order by id limit $2)
      select (select id::text as low from batch order by id limit 1),
        (select id::text as high from batch order by id desc limit 1), (select count(*)::int as rows from batch)`,
    [highest, size, ...(position === null ? [] : [position])],
  );
  const [ids] = rows;
  return ids === undefined || ids.rows === 0 ? null : ids;
}

/** The share of the id range that is done; null if the ids are neither numbers nor UUIDs. */
function percentOf(lowest: string | null, id: string, highest: string | null): number | null {
  const [from, at, to] = [lowest, id, highest].map(numberOf);
  if (from === undefined || at === undefined || to === undefined) return null;
  if (from === null || at === null || to === null) return null;
  return to <= from ? 100 : Number(((at - from) * 100n) / (to - from));
}

function numberOf(id: string | null): bigint | null {
  if (id === null) return null;
  if (/^-?\d+$/.test(id)) return BigInt(id);
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id) ? BigInt(`0x${id.replaceAll("-", "")}`) : null;
}

/** Logs the progress of a back-fill, at most once per `progressMs`. */
function progressReporter({ watch }: Run, { migration }: Change, { table }: SqlBatches) {
  const startedAt = performance.now();
  let loggedAt = startedAt;
  return ({ rows, percent }: SqlPosition) => {
    const now = performance.now();
    if (now - loggedAt < watch.progressMs) return;
    loggedAt = now;
    const part = percent === null ? "" : `${percent} %, `;
    const seconds = Math.round((now - startedAt) / 1000);
    watch.log.info(
      { migration: migration.name },
      `still working on ${migration.name}, back-fill of ${table}: ${part}${rows} rows, ${seconds} s so far`,
    );
  };
}
