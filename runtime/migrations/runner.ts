import pg from "pg";
import type { Logger } from "pino";
import type { Migration } from "../../vocabulary/migration-steps.ts";
import { carryOut, type Run } from "./apply/carry-out.ts";
import { inWords, readable } from "./apply/in-words.ts";
import { withMigrationLock } from "./apply/migration-lock.ts";
import { Migrator } from "./apply/migrator.ts";
import { patiently } from "./apply/patience.ts";
import { endConnection } from "./apply/session-settings.ts";
import { type Timing, timingOf } from "./apply/timing.ts";
import { createProgressTable, undoUnfinished, unfinishedMigrations } from "./apply/unfinished.ts";
import type { Observed, Watch } from "./apply/watch-progress.ts";
import { compareWithLive } from "./drift/compare-with-live.ts";
import { differenceLines } from "./drift/difference.ts";
import {
  checksumTable,
  compareHistory,
  type MigrationStatus,
  readFitting,
  readHistory,
} from "./history/history-table.ts";
import { requireOwnTables } from "./history/own-tables.ts";
import { changesBack, pendingOf } from "./history/pending.ts";
import { MigrationError } from "./migration-error.ts";
import { type Change, changeOf, marked } from "./plan/migration-change.ts";
import { lossesOf } from "./steps/losses.ts";

/** A database and the migrations of the code. */
export interface HistoryOptions {
  readonly url: string;
  /** In the order in which they build on each other. */
  readonly migrations: readonly Migration[];
  readonly timing?: Partial<Timing>;
}

export interface MigrateOptions extends HistoryOptions {
  readonly log: Logger;
  /** The last migration to be applied; all of them by default. */
  readonly to?: string;
}

export interface MigrateDownOptions extends HistoryOptions {
  readonly log: Logger;
  /** The migration to go back to, which stays; by default the last one alone is taken back. */
  readonly to?: string;
  /** Without it, nothing is taken back where that loses data. */
  readonly acceptDataLoss?: boolean;
}

export interface MarkOptions extends MigrateOptions {
  /** Notes them whatever the tables are like. */
  readonly unverified?: boolean;
}

/**
 * Applies what is pending, each migration with its row and its checksum (decisions, part 1). Instances that start at once
 * take turns, and what a killed one left half-way is made good first. Gives the names applied. Throws a MigrationError;
 * the database is then as it was before the migration that failed.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  return underLock(options, async (run, client) => {
    const pending = pendingOf(options, await readHistory(client));
    return carryOutAll(
      run,
      pending.map((migration) => changeOf(migration, "up")),
    );
  });
}

/** Takes back the last migration, or all after one, the newest first. Gives their names. Throws like `migrate`. */
export async function migrateDown(options: MigrateDownOptions): Promise<string[]> {
  return underLock(options, async (run, client) => {
    const changes = changesBack(options, await readHistory(client));
    const losses = changes.flatMap(({ steps }) => lossesOf(steps));
    if (losses.length > 0 && options.acceptDataLoss !== true)
      throw new MigrationError(
        `taking back ${changes.map(({ migration }) => migration.name).join(", ")} loses data:\n` +
          `${losses.map((loss) => `  ${loss}\n`).join("")}to go on: add --accept-data-loss`,
      );
    return carryOutAll(run, changes);
  });
}

/** Notes migrations as applied, without running them: their tables are there. Throws a MigrationError where they are others. */
export async function markApplied(options: MarkOptions): Promise<string[]> {
  return underLock(options, async (run, client) => {
    const pending = pendingOf(options, await readHistory(client));
    if (pending.length > 0 && options.unverified !== true) await requireTables(options, run, pending);
    return carryOutAll(run, pending.map(marked));
  });
}

async function requireTables(
  { migrations }: MarkOptions,
  { lock, timing, log }: Run,
  pending: readonly Migration[],
): Promise<void> {
  const end = migrations.findIndex(({ name }) => name === pending.at(-1)?.name) + 1;
  const { differences } = await compareWithLive(lock.client, migrations.slice(0, end), timing, log);
  if (differences.length === 0) return;
  const lines = differenceLines(differences).map((line) => `  ${line}\n`);
  throw new MigrationError(
    `the tables are not as ${pending.map(({ name }) => name).join(", ")} would have made them:\n${lines.join("")}` +
      "make them so, or add --unverified to note it nevertheless",
  );
}

/** The names that `migrate` would apply. Throws a MigrationError when the database does not fit the code. */
export async function pendingMigrations(options: HistoryOptions): Promise<string[]> {
  return (await plannedUp(options)).map(({ migration }) => migration.name);
}

/** What `migrate` would do. Changes nothing. */
export async function plannedUp(options: HistoryOptions & { readonly to?: string }): Promise<Change[]> {
  return withClient(options, async (client) =>
    pendingOf(options, await readFitting(client, options.migrations)).map((migration) =>
      changeOf(migration, "up"),
    ),
  );
}

/** The migrations of which a run that was killed may have left something behind, or on which another one is at work. */
export async function leftHalfWay(options: Pick<HistoryOptions, "url" | "timing">): Promise<string[]> {
  return withClient(options, unfinishedMigrations);
}

/** What `migrateDown` would do. Changes nothing. */
export async function plannedDown(options: HistoryOptions & { readonly to?: string }): Promise<Change[]> {
  return withClient(options, async (client) =>
    changesBack(options, await readFitting(client, options.migrations)),
  );
}

/** Each migration and where it stands, those that only the database knows last. Changes nothing. */
export async function migrationStatus(options: HistoryOptions): Promise<MigrationStatus[]> {
  return withClient(options, async (client) => [
    ...compareHistory(options.migrations, await readHistory(client)),
    ...(await unfinishedMigrations(client)).map((name) => ({
      name,
      state: "unfinished" as const,
      appliedAt: null,
    })),
  ]);
}

/** Runs `work` under the lock, in a database that fits the code and of which nothing is half-way. */
async function underLock(
  options: MigrateOptions | MigrateDownOptions,
  work: (run: Run, client: pg.Client) => Promise<string[]>,
): Promise<string[]> {
  const { url, migrations, log } = options;
  const timing = timingOf(options);
  return withMigrationLock({ url, timing, log }, async (lock) => {
    await requireOwnTables(lock.client);
    // First of all: a wrong URL leads to the database of another service.
    await readable(readFitting(lock.client, migrations));
    await undoUnfinished(lock.client, timing, log);
    const watch: Watch = {
      log,
      progressMs: timing.progressMs,
      observe: (text, values) => lock.client.query<Observed>(text, [...values]),
    };
    const migrator = new Migrator({ url, migrations, timing, watch });
    try {
      return await work({ lock, migrator, timing, log }, lock.client);
    } finally {
      await migrator.close();
    }
  });
}

async function carryOutAll(run: Run, changes: readonly Change[]): Promise<string[]> {
  if (changes.length === 0) return [];
  await makeOwnTables(run, changes);
  for (const [index, change] of changes.entries()) {
    const { name } = change.migration;
    const [todo, done] = change.direction === "up" ? ["migration", "applied"] : ["taking back", "took back"];
    const startedAt = performance.now();
    run.log.info({ migration: name }, `${todo} ${index + 1} of ${changes.length}: ${name}`);
    await carryOutInWords(run, change);
    const duration = Math.round(performance.now() - startedAt);
    run.log.info({ migration: name, duration_ms: duration }, `${done} ${name}`);
  }
  return changes.map(({ migration }) => migration.name);
}

async function makeOwnTables(
  { lock, migrator, timing, log }: Run,
  changes: readonly Change[],
): Promise<void> {
  try {
    await lock.client.query(
      `CREATE TABLE IF NOT EXISTS ${checksumTable} (name text PRIMARY KEY, checksum text NOT NULL)`,
    );
    if (changes.some(({ plan }) => plan.online.length > 0)) await createProgressTable(lock.client);
    await patiently(timing, log, () => migrator.freeLock());
  } catch (error) {
    const names = changes.map(({ migration }) => migration.name).join(", ");
    const verb = changes[0]?.direction === "down" ? "taken back" : "applied";
    throw inWords(error, `${names} cannot be ${verb}`, "nothing was changed");
  }
}

async function carryOutInWords(run: Run, change: Change): Promise<void> {
  try {
    await carryOut(run, change);
  } catch (error) {
    const { name } = change.migration;
    const [failed, done] =
      change.direction === "up" ? ["failed", "applied"] : ["could not be taken back", "taken back"];
    const left = await unfinishedMigrations(run.lock.client).catch(() => [name]);
    const outcome = left.includes(name)
      ? "what was prepared for it is undone when migrations run again"
      : `nothing of it was ${done}`;
    throw inWords(error, `${name} ${failed}`, outcome);
  }
}

async function withClient<T>(
  options: Pick<HistoryOptions, "url" | "timing">,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const timing = timingOf(options);
  const client = new pg.Client({
    connectionString: options.url,
    connectionTimeoutMillis: timing.connectTimeoutMs,
  });
  client.on("error", () => {});
  await client.connect();
  try {
    return await readable(work(client));
  } finally {
    await endConnection(client, timing.answerTimeoutMs);
  }
}
