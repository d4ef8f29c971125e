import knex, { type Knex } from "knex";
import pg from "pg";
import type { Logger } from "pino";
import { checksumOf } from "./checksum.ts";
import {
  checksumTable,
  compareHistory,
  historyTable,
  type MigrationStatus,
  readHistory,
  requireConsistent,
} from "./history.ts";
import { withMigrationLock } from "./lock.ts";
import { MigrationError } from "./migration-error.ts";
import type { Migration, Step } from "./operations.ts";
import { stepToSql } from "./steps-to-sql.ts";

/** A migration that waits longer than this for a table gives up, rather than holding up everybody behind it. */
const lockTimeout = "10s";

const defaultConnectTimeoutMs = 10_000;

/** The block is for servers that cannot notice, in the midst of a long step, that the process behind it was killed. */
const connectionSettings = `
  SET lock_timeout = '${lockTimeout}'; SET statement_timeout = 0; SET standard_conforming_strings = on;
  SET TimeZone = 'UTC'; SET DateStyle = 'ISO';
  DO $$ BEGIN SET client_connection_check_interval = '1s'; EXCEPTION WHEN OTHERS THEN NULL; END $$`;

export interface MigrateOptions {
  readonly url: string;
  /** In the order in which they build on each other. */
  readonly migrations: readonly Migration[];
  /** Longest time until a connection stands; default ten seconds. */
  readonly connectTimeoutMs?: number;
  readonly log: Logger;
}

/**
 * Applies what is pending, each migration in a transaction with its row and its checksum (decisions, part 1). Instances
 * that start at once take turns. Gives the names applied. Throws a MigrationError; the database is then as it was before
 * the migration that failed.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const { url, migrations, log } = options;
  const connectTimeoutMs = timeoutOf(options);
  return withMigrationLock({ url, connectTimeoutMs, log }, async (lock) => {
    const pending = requireConsistent(migrations, await readHistory(lock.client));
    if (pending.length === 0) return pending;
    await lock.client.query(
      `CREATE TABLE IF NOT EXISTS ${checksumTable} (name text PRIMARY KEY, checksum text NOT NULL)`,
    );
    await withMigrator(options, async (migrator) => {
      // We hold the real lock, so a row that says "locked" was left by a process that was killed.
      await migrator.forceFreeMigrationsLock();
      for (const [index, name] of pending.entries()) {
        lock.assertHeld();
        const startedAt = performance.now();
        log.info({ migration: name }, `migration ${index + 1} of ${pending.length}: ${name}`);
        await migrator.up({ name });
        log.info(
          { migration: name, duration_ms: Math.round(performance.now() - startedAt) },
          `applied ${name}`,
        );
      }
    });
    return pending;
  });
}

/** The names that `migrate` would apply. Throws a MigrationError when the database does not fit the code. */
export async function pendingMigrations(options: Omit<MigrateOptions, "log">): Promise<string[]> {
  return withClient(options, async (client) =>
    requireConsistent(options.migrations, await readHistory(client)),
  );
}

/** Each migration and where it stands, those that only the database knows last. Changes nothing. */
export async function migrationStatus(options: Omit<MigrateOptions, "log">): Promise<MigrationStatus[]> {
  return withClient(options, async (client) => compareHistory(options.migrations, await readHistory(client)));
}

function timeoutOf({ connectTimeoutMs }: Pick<MigrateOptions, "connectTimeoutMs">): number {
  return connectTimeoutMs ?? defaultConnectTimeoutMs;
}

async function withClient<T>(
  options: Omit<MigrateOptions, "log">,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: options.url,
    connectionTimeoutMillis: timeoutOf(options),
  });
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function withMigrator(
  options: MigrateOptions,
  work: (migrator: Knex.Migrator) => Promise<void>,
): Promise<void> {
  const { log } = options;
  const database = knex({
    client: "pg",
    connection: {
      connectionString: options.url,
      connectionTimeoutMillis: timeoutOf(options),
      application_name: "kirak migrations",
    },
    pool: { min: 0, max: 2, afterCreate: prepareConnection },
    // knex repeats the errors that it throws; ours name the step.
    log: { warn: (message) => log.debug(message), error: (message) => log.debug(message) },
    migrations: { tableName: historyTable, migrationSource: sourceOf(options) },
  });
  try {
    await work(database.migrate);
  } finally {
    await database.destroy();
  }
}

function prepareConnection(client: pg.Client, done: (error: Error | null, client: pg.Client) => void): void {
  client.query(connectionSettings, (error: Error | null) => done(error, client));
}

function sourceOf({ migrations, log }: MigrateOptions): Knex.MigrationSource<Migration> {
  return {
    getMigrations: async () => [...migrations],
    getMigrationName: (migration) => migration.name,
    getMigration: async (migration) => ({
      async up(transaction: Knex) {
        await perform(transaction, migration, migration.up, log);
        await transaction(checksumTable).insert({ name: migration.name, checksum: checksumOf(migration) });
      },
      async down(transaction: Knex) {
        await perform(transaction, migration, migration.down, log);
        await transaction(checksumTable).where({ name: migration.name }).del();
      },
    }),
  };
}

/** Runs on the connection itself: knex would take a question mark in a literal for a parameter. */
async function perform(
  transaction: Knex,
  migration: Migration,
  steps: readonly Step[],
  log: Logger,
): Promise<void> {
  const connection: pg.Client = await transaction.client.acquireConnection();
  for (const [index, step] of steps.entries()) {
    log.debug({ migration: migration.name, step: step.step, table: step.table }, "migration step");
    try {
      await connection.query(stepToSql(step));
    } catch (error) {
      const place = `step ${index + 1} of ${steps.length} (${step.step} on ${step.table})`;
      const reason = error instanceof Error ? error.message : String(error);
      throw new MigrationError(`${migration.name} failed at ${place}: ${reason}; nothing of it was applied`, {
        cause: error,
      });
    }
  }
}
