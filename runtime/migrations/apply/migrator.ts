import knex, { type Knex } from "knex";
import type pg from "pg";
import type { Migration } from "../../../vocabulary/migration-steps.ts";
import { checksumTable, historyTable } from "../history/history-table.ts";
import { checksumOf } from "../history/migration-checksum.ts";
import { progressTable } from "../history/own-tables.ts";
import { MigrationError } from "../migration-error.ts";
import { type Change, marked } from "../plan/migration-change.ts";
import { lockTables } from "./lock-tables.ts";
import { perform } from "./perform.ts";
import { requireReady } from "./prepared.ts";
import { endsWithin, sessionSettings } from "./session-settings.ts";
import type { Timing } from "./timing.ts";
import type { Observed, Watch } from "./watch-progress.ts";

export interface MigratorOptions {
  readonly url: string;
  readonly migrations: readonly Migration[];
  readonly timing: Timing;
  readonly watch: Watch;
}

/** knex's migrator, for the transaction in which a migration and its rows of the history come true together. */
export class Migrator {
  private readonly database: Knex;
  private readonly watch: Watch;
  private readonly timing: Timing;
  private change: Change | null = null;
  private token = "";
  private hasRun = false;
  private failure: unknown = null;

  constructor({ url, migrations, timing, watch }: MigratorOptions) {
    this.watch = watch;
    this.timing = timing;
    const { log } = watch;
    this.database = knex({
      client: "pg",
      connection: {
        connectionString: url,
        connectionTimeoutMillis: timing.connectTimeoutMs,
        application_name: "kirak migrations",
      },
      pool: {
        min: 0,
        max: 2,
        afterCreate: (client: pg.Client, done: (error: Error | null, client: pg.Client) => void) =>
          client.query(sessionSettings(timing), (error: Error | null) => done(error, client)),
      },
      // knex repeats the errors that it throws; ours name the step.
      log: { warn: (message) => log.debug(message), error: (message) => log.debug(message) },
      migrations: { tableName: historyTable, migrationSource: this.sourceOf(migrations) },
    });
  }

  /** To be called under the real lock: a row that says "locked" was then left by a process that was killed. */
  async freeLock(): Promise<void> {
    await this.database.migrate.forceFreeMigrationsLock();
  }

  /**
   * Runs the main part of a change, on what was prepared under the token. Throws a StepFailure, or a MigrationError where
   * another instance came first; what was prepared is then still there.
   */
  async run(change: Change, token: string): Promise<void> {
    this.change = change;
    this.token = token;
    this.hasRun = false;
    this.failure = null;
    try {
      await this.database.migrate[change.direction]({ name: change.migration.name });
    } catch (error) {
      // Where the connection was lost, knex tells that it could not roll back.
      throw this.failure ?? (isNotRun(error) ? overtaken(change) : error);
    }
    // knex does nothing where the history has it already.
    if (!this.hasRun) throw overtaken(change);
  }

  /** Runs a query on a connection of the migrator's own. */
  async query(text: string, values: readonly unknown[]): Promise<pg.QueryResult<Observed>> {
    const connection: pg.Client = await this.database.client.acquireConnection();
    try {
      return await connection.query<Observed>(text, [...values]);
    } finally {
      await this.database.client.releaseConnection(connection);
    }
  }

  async close(): Promise<void> {
    await endsWithin(this.timing.answerTimeoutMs, this.database.destroy());
  }

  private sourceOf(migrations: readonly Migration[]): Knex.MigrationSource<Migration> {
    return {
      getMigrations: async () => [...migrations],
      getMigrationName: (migration) => migration.name,
      getMigration: async (migration) => {
        const change = this.change ?? marked(migration);
        return {
          up: (transaction: Knex) => this.up(transaction, change),
          down: (transaction: Knex) => this.down(transaction, change),
        };
      },
    };
  }

  private async up(transaction: Knex, change: Change): Promise<void> {
    const { name } = change.migration;
    await this.perform(transaction, change);
    await transaction(checksumTable).insert({ name, checksum: checksumOf(change.migration) });
  }

  private async down(transaction: Knex, change: Change): Promise<void> {
    const { name } = change.migration;
    // knex does that too, but after the transaction.
    if ((await transaction(historyTable).where({ name }).del()) === 0) throw overtaken(change);
    await this.perform(transaction, change);
    await transaction(checksumTable).where({ name }).del();
  }

  /** Runs on the connection itself: knex would take a question mark in a literal for a parameter. */
  private async perform(transaction: Knex, change: Change): Promise<void> {
    const { name } = change.migration;
    const { plan } = change;
    this.hasRun = true;
    if (
      plan.online.length > 0 &&
      (await transaction(progressTable).where({ name, run: this.token }).del()) === 0
    )
      throw new MigrationError(`what was prepared for ${name} was undone by another instance: start again`);
    const connection: pg.Client = await transaction.client.acquireConnection();
    try {
      await lockTables(connection, plan.locks.main, this.timing.lockTimeoutMs, (statement) =>
        perform(connection, change, [statement], this.watch),
      );
      await requireReady(connection, change);
      await perform(connection, change, plan.main, this.watch);
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}

function overtaken({ migration, direction }: Change): MigrationError {
  const what = direction === "up" ? "applied" : "taken back";
  return new MigrationError(`${migration.name} was ${what} by another instance meanwhile: start again`);
}

/** What knex says where there is nothing to take back. */
function isNotRun(error: unknown): boolean {
  return error instanceof Error && /^Migration ".*" was not run\.$/.test(error.message);
}
