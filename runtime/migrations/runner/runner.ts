import type pg from "pg";
import { baselineName, type Migration } from "../../../vocabulary/migrations/migration-steps.ts";
import { adoptDatabase } from "./apply/adopt-database.ts";
import { applyChange } from "./apply/apply-change.ts";
import { createHistoryTables, type Run } from "./apply/main-transaction.ts";
import { withMigrationLock } from "./apply/migration-lock.ts";
import { timingOf } from "./apply/timing.ts";
import { createProgressTable, undoUnfinished, unfinishedMigrations } from "./apply/unfinished.ts";
import { Observer } from "./apply/watch-progress.ts";
import { applySql } from "./custom-sql/apply-sql.ts";
import { compareWithLive } from "./drift/compare-with-live.ts";
import { type Comparison, differenceLines } from "./drift/difference.ts";
import { foundChange } from "./drift/found-changes.ts";
import { additionsIn, customObjectOf } from "./drift/sql-additions.ts";
import { readConsistentHistory } from "./history/compare-history.ts";
import { createCustomObjects, recordCustomObjects } from "./history/custom-objects.ts";
import { readHistory, requireTableOwnership } from "./history/history-tables.ts";
import { findInCode, migrationsToMark, migrationsToRevert, pendingOf } from "./history/pending.ts";
import { begunMigrations } from "./history/sql-progress.ts";
import { asMigrationError, explainReadErrors, MigrationError } from "./migration-error.ts";
import type { MarkOptions, MigrateDownOptions, MigrateOptions } from "./migration-options.ts";
import { type Change, changeOf, markOnly } from "./plan/migration-change.ts";
import { lossesOfDown } from "./steps/losses.ts";

/**
 * Applies pending migrations, and records each with its checksum. Instances that start at the same time wait
 * for each other, and leftovers of a killed one are removed first. Returns the applied names. Throws a
 * MigrationError. The database is then in the state before the failed migration.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  return underLock(options, async (run, client) => {
    const history = await readHistory(client);
    const changes = pendingOf(options, history).map((migration) => changeOf(migration, "up"));
    const [first, ...others] = history;
    const inOne = changes.every(({ plan }) => plan.first.length === 0);
    const isAdoption = first?.name === baselineName && others.length === 0 && inOne;
    const { migrations } = options;
    const applied = await (isAdoption
      ? adoptAll(run, changes, migrations)
      : applyAll(run, changes, migrations));
    await options.alongside?.(options.url, options.log);
    return applied;
  });
}

/**
 * Reverts the app's last migration, or all after `to`. Returns their names, newest first. Throws like
 * `migrate`.
 */
export async function migrateDown(options: MigrateDownOptions): Promise<string[]> {
  return underLock(options, async (run, client) => {
    const begun = await begunMigrations(client, options);
    const migrations = migrationsToRevert(options, await readHistory(client), begun);
    const foreign = migrations.find(({ found, parent }) => found !== undefined && parent !== null);
    if (foreign !== undefined)
      throw new MigrationError(
        `${foreign.name} describes what another application has done to its tables, so it cannot be reverted: ` +
          "revert it with that application, then run kirak introspect",
      );
    const changes = migrations.map((migration) => changeOf(migration, "down"));
    const losses = migrations.flatMap(lossesOfDown);
    if (losses.length > 0 && options.acceptDataLoss !== true)
      throw new MigrationError(
        `reverting ${changes.map(({ migration }) => migration.name).join(", ")} loses data:\n` +
          `${losses.map((loss) => `  ${loss}\n`).join("")}to continue, add --accept-data-loss`,
      );
    return applyAll(run, changes, options.migrations);
  });
}

/** Records migrations as applied without running them. Throws a MigrationError if the tables differ. */
export async function markApplied(options: MarkOptions): Promise<string[]> {
  return underLock(options, async (run, client) => {
    const history = await readHistory(client);
    const marked = migrationsToMark(options, history);
    if (marked.length === 0) return [];
    const lastSql = marked.findLast(({ sql }) => sql !== undefined);
    const comparison = await compareIfNeeded(run, findInCode(options, [...history, ...marked]), options);
    if (options.unverified !== true) requireTables(comparison, marked, lastSql !== undefined);
    const names = await applyAll(run, marked.map(markOnly), options.migrations);
    if (lastSql !== undefined) await recordAsCustomObjects(client, lastSql.name, comparison);
    return names;
  });
}

/** Records all additions for the last migration, since those of earlier ones cannot be distinguished. */
async function recordAsCustomObjects(client: pg.Client, name: string, comparison: Comparison): Promise<void> {
  await createCustomObjects(client);
  await recordCustomObjects(
    client,
    additionsIn(comparison).map((difference) => customObjectOf(name, difference)),
  );
}

async function compareIfNeeded(
  { lock, timing, watch }: Run,
  migrations: readonly Migration[],
  { unverified }: MarkOptions,
): Promise<Comparison> {
  const none = { differences: [], notes: [] };
  const needed = unverified !== true || migrations.some(({ sql }) => sql !== undefined);
  return needed ? compareWithLive(lock.client, migrations, timing, watch.log) : none;
}

/** Throws a MigrationError if the tables differ. With `mayHaveMore`, additions are allowed. */
function requireTables(comparison: Comparison, marked: readonly Migration[], mayHaveMore: boolean): void {
  const more = new Set(mayHaveMore ? additionsIn(comparison) : []);
  const differences = comparison.differences.filter((difference) => !more.has(difference));
  if (differences.length === 0) return;
  const lines = differenceLines(differences).map((line) => `  ${line}\n`);
  throw new MigrationError(
    `the tables differ from the result of ${marked.map(({ name }) => name).join(", ")}:\n${lines.join("")}` +
      "change the tables, or add --unverified to mark it as applied anyway",
  );
}

/** Runs `work` under the lock, after checks of the history and the removal of leftovers. */
async function underLock(
  options: MigrateOptions | MigrateDownOptions,
  work: (run: Run, client: pg.Client) => Promise<string[]>,
): Promise<string[]> {
  const { url, log } = options;
  const timing = timingOf(options);
  return withMigrationLock({ url, timing, log }, async (lock) => {
    await createServiceSchema(lock.client);
    await requireTableOwnership(lock.client);
    // Before any change: a wrong URL can lead to the database of another service.
    await explainReadErrors(readConsistentHistory(lock.client, options));
    await explainReadErrors(begunMigrations(lock.client, options));
    await undoUnfinished(lock.client, timing, log);
    const observer = new Observer(url, timing);
    try {
      return await work(
        { lock, timing, watch: { log, observer, progressMs: timing.progressMs } },
        lock.client,
      );
    } finally {
      await observer.close();
    }
  });
}

/** Creates the first schema of the search path, in which Kirak's tables are, if it does not exist. */
async function createServiceSchema(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ schema: string }>(
    `select trim(split_part(current_setting('search_path'), ',', 1)) as schema
     where current_schema() is distinct from trim(split_part(current_setting('search_path'), ',', 1))`,
  );
  for (const { schema } of rows)
    if (/^\w+$/.test(schema)) await client.query(`create schema if not exists "${schema}"`);
}

/** Applies all changes before the first custom SQL or found change in one transaction, then the rest one by one. */
async function adoptAll(
  run: Run,
  changes: readonly Change[],
  migrations: readonly Migration[],
): Promise<string[]> {
  const first = changes.findIndex(({ sql, migration }) => sql !== null || migration.found !== undefined);
  const together = first < 0 ? changes : changes.slice(0, first);
  const names = together.map(({ migration }) => migration.name);
  if (together.length > 0) {
    await createRunTables(run.lock.client, together);
    run.watch.log.info({ migrations: names }, `adopting the database: ${names.join(", ")}`);
    try {
      await adoptDatabase(run, together);
    } catch (error) {
      throw asMigrationError(error, `${names.join(", ")} failed`, "nothing was applied");
    }
    for (const name of names) run.watch.log.info({ migration: name }, `applied ${name}`);
  }
  return [...names, ...(await applyAll(run, changes.slice(together.length), migrations))];
}

/** `migrations` are all of the app, in order. */
async function applyAll(
  run: Run,
  changes: readonly Change[],
  migrations: readonly Migration[],
): Promise<string[]> {
  if (changes.length === 0) return [];
  await createRunTables(run.lock.client, changes);
  const { log } = run.watch;
  for (const [index, change] of changes.entries()) {
    const { name } = change.migration;
    const [todo, done] = change.direction === "up" ? ["migration", "applied"] : ["reverting", "reverted"];
    const startedAt = performance.now();
    log.info({ migration: name }, `${todo} ${index + 1} of ${changes.length}: ${name}`);
    try {
      await applyAndExplain(run, change, migrations);
    } catch (error) {
      const before = changes.slice(0, index).map(({ migration }) => migration.name);
      throw before.length > 0 && error instanceof MigrationError
        ? new MigrationError(`${error.message}; ${done} before it: ${before.join(", ")}`, {
            cause: error.cause,
          })
        : error;
    }
    const duration = Math.round(performance.now() - startedAt);
    log.info({ migration: name, duration_ms: duration }, `${done} ${name}`);
  }
  return changes.map(({ migration }) => migration.name);
}

async function createRunTables(client: pg.Client, changes: readonly Change[]): Promise<void> {
  try {
    await createHistoryTables(client);
    if (changes.some(({ plan }) => plan.online.length > 0)) await createProgressTable(client);
  } catch (error) {
    const names = changes.map(({ migration }) => migration.name).join(", ");
    const verb = changes[0]?.direction === "down" ? "reverted" : "applied";
    throw asMigrationError(error, `${names} cannot be ${verb}`, "nothing was changed");
  }
}

async function applyAndExplain(run: Run, change: Change, migrations: readonly Migration[]): Promise<void> {
  try {
    if (change.sql !== null) await applySql(run, change, change.sql);
    else
      await applyChange(run, change, (one) => foundChange(run.lock.client, one, migrations, run.watch.log));
  } catch (error) {
    const { name } = change.migration;
    const [failed, done] =
      change.direction === "up" ? ["failed", "applied"] : ["could not be reverted", "reverted"];
    const unfinished = await unfinishedMigrations(run.lock.client).catch(() => [name]);
    const outcome = unfinished.includes(name)
      ? "its preparation is removed when migrations run again"
      : `nothing of it was ${done}`;
    throw asMigrationError(error, `${name} ${failed}`, outcome);
  }
}
