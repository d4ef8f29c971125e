import type pg from "pg";
import type { Logger } from "pino";
import type { CatalogTable } from "../catalog/catalog.ts";
import { compareCatalogs } from "../catalog/compare-catalogs.ts";
import type { Comparison } from "../catalog/difference.ts";
import { readCatalog } from "../catalog/read-catalog.ts";
import { historyTable, readHistory, requireConsistent } from "./history.ts";
import { withMigrationLock } from "./lock.ts";
import { MigrationError } from "./migration-error.ts";
import { patiently } from "./patience.ts";
import { rebuilt } from "./rebuilt.ts";
import type { HistoryOptions } from "./runner.ts";
import { type Timing, timingOf } from "./timing.ts";
import { unfinishedMigrations } from "./unfinished.ts";

/** How a database differs from what its migrations made. */
export interface Verification extends Comparison {
  /** How many migrations the database has. */
  readonly applied: number;
  /** Those that are not applied yet; they are not part of the comparison. */
  readonly pending: readonly string[];
  /** Those for which a run that was killed left something behind, which may stand among the differences. */
  readonly unfinished: readonly string[];
}

export interface VerifyOptions extends HistoryOptions {
  readonly log: Logger;
}

/**
 * Compares the tables of a database with those that its migrations make when they run once more, from the beginning, as
 * temporary tables in a transaction that is rolled back. Changes nothing. Kirak's own tables do not count.
 */
export async function verifyDatabase(options: VerifyOptions): Promise<Verification> {
  const { url, migrations, log } = options;
  const timing = timingOf(options);
  return withMigrationLock({ url, log, timing }, async ({ client }) => {
    const pending = requireConsistent(migrations, await readHistory(client));
    const applied = migrations.slice(0, migrations.length - pending.length);
    if (applied.length === 0)
      throw new MigrationError("no migration was applied to this database yet: run npm run migrate");
    const unfinished = await unfinishedMigrations(client);
    // Before temporary tables hide those of the same name.
    const live = await liveTables(client, timing, log);
    const expected = await rebuilt(client, applied);
    return {
      ...compareCatalogs(expected, withoutOwn(live, expected)),
      applied: applied.length,
      pending,
      unfinished,
    };
  });
}

function withoutOwn(live: readonly CatalogTable[], expected: readonly CatalogTable[]): CatalogTable[] {
  const names = new Set(expected.map(({ name }) => name));
  return live.filter(({ name }) => names.has(name) || !name.startsWith("kirak_"));
}

/** PostgreSQL prints no definition of a table that somebody holds an exclusive lock on. */
async function liveTables(client: pg.Client, timing: Timing, log: Logger): Promise<readonly CatalogTable[]> {
  const schema = await schemaOf(client);
  try {
    return await patiently(timing, log, () => readCatalog(client, schema));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MigrationError(`the tables of the database cannot be read: ${reason}`, { cause });
  }
}

/** Where this connection finds the tables: that of the history. */
async function schemaOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ schema: string }>(
    `SELECT n.nspname::text AS schema FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.oid = to_regclass($1)`,
    [historyTable],
  );
  return rows[0]?.schema ?? "public";
}
