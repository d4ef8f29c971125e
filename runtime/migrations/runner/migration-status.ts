import pg from "pg";
import { endConnection } from "./apply/session-settings.ts";
import { timingOf } from "./apply/timing.ts";
import { unfinishedMigrations } from "./apply/unfinished.ts";
import { describeProgress } from "./custom-sql/sql-position.ts";
import { compareHistory, type MigrationStatus, readConsistentHistory } from "./history/compare-history.ts";
import { readHistory } from "./history/history-tables.ts";
import { migrationsToRevert, pendingOf } from "./history/pending.ts";
import { begunMigrations, readSqlProgress } from "./history/sql-progress.ts";
import { explainReadErrors } from "./migration-error.ts";
import type { HistoryOptions } from "./migration-options.ts";
import { type Change, changeOf } from "./plan/migration-change.ts";

/** The names that `migrate` would apply. Throws a MigrationError if the database does not match the code. */
export async function pendingMigrations(options: HistoryOptions): Promise<string[]> {
  return (await plannedUp(options)).map(({ migration }) => migration.name);
}

/** The changes that `migrate` would make. */
export async function plannedUp(options: HistoryOptions & { readonly to?: string }): Promise<Change[]> {
  return withClient(options, async (client) =>
    pendingOf(options, await readConsistentHistory(client, options)).map((migration) =>
      changeOf(migration, "up"),
    ),
  );
}

/** The changes that `migrateDown` would make. */
export async function plannedDown(options: HistoryOptions & { readonly to?: string }): Promise<Change[]> {
  return withClient(options, async (client) =>
    migrationsToRevert(
      options,
      await readConsistentHistory(client, options),
      await begunMigrations(client, options),
    ).map((migration) => changeOf(migration, "down")),
  );
}

/** Migrations with a preparation: an interrupted run left it, or another run is in progress. */
export async function unfinishedMigrationNames(
  options: Pick<HistoryOptions, "url" | "timing">,
): Promise<string[]> {
  return withClient(options, unfinishedMigrations);
}

/** The status of each migration. Changes nothing. */
export async function migrationStatus(options: HistoryOptions): Promise<MigrationStatus[]> {
  return withClient(options, async (client) => [
    ...compareHistory(options, await readHistory(client)),
    ...(await unfinishedMigrations(client)).map((name) => ({
      name,
      state: "unfinished" as const,
      appliedAt: null,
    })),
    ...(await readSqlProgress(client)).map((progress) => ({
      name: progress.name,
      state: "begun" as const,
      appliedAt: null,
      progress: describeProgress(progress),
    })),
  ]);
}

/** Migrations of custom SQL that are in progress or were interrupted. The next run continues them. */
export async function begunMigrationNames(
  options: Pick<HistoryOptions, "url" | "timing">,
): Promise<string[]> {
  return withClient(options, async (client) => (await readSqlProgress(client)).map(({ name }) => name));
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
    return await explainReadErrors(work(client));
  } finally {
    await endConnection(client, timing.answerTimeoutMs);
  }
}
