import type pg from "pg";
import type { Logger } from "pino";
import type { CatalogTable } from "../catalog/catalog.ts";
import { compareCatalogs } from "../catalog/compare-catalogs.ts";
import type { Comparison } from "../catalog/difference.ts";
import { readCatalog } from "../catalog/read-catalog.ts";
import { historyTable, readHistory, requireConsistent } from "./history.ts";
import { withMigrationLock } from "./lock.ts";
import { MigrationError } from "./migration-error.ts";
import type { Migration } from "./operations.ts";
import type { HistoryOptions } from "./runner.ts";
import { stepToSql } from "./steps-to-sql.ts";
import { timingOf } from "./timing.ts";
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

/** What is built is empty, and nobody else sees it. */
const transaction = "BEGIN READ WRITE; SET LOCAL search_path = pg_temp; SET LOCAL statement_timeout = '120s'";

/**
 * Compares the tables of a database with those that its migrations make when they run once more, from the beginning, as
 * temporary tables in a transaction that is rolled back. Changes nothing. Kirak's own tables do not count.
 */
export async function verifyDatabase(options: VerifyOptions): Promise<Verification> {
  const { url, migrations, log } = options;
  return withMigrationLock({ url, log, timing: timingOf(options) }, async ({ client }) => {
    const pending = requireConsistent(migrations, await readHistory(client));
    const applied = migrations.slice(0, migrations.length - pending.length);
    if (applied.length === 0)
      throw new MigrationError("no migration was applied to this database yet: run npm run migrate");
    const unfinished = await unfinishedMigrations(client);
    // Before temporary tables hide those of the same name.
    const live = await readCatalog(client, await schemaOf(client));
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

/** Where this connection finds the tables: that of the history. */
async function schemaOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ schema: string }>(
    `SELECT n.nspname::text AS schema FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.oid = to_regclass($1)`,
    [historyTable],
  );
  return rows[0]?.schema ?? "public";
}

/** The tables that the migrations make. */
async function rebuilt(
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<readonly CatalogTable[]> {
  await client.query(transaction);
  try {
    for (const migration of migrations) await rebuild(client, migration);
    const { rows } = await client.query<{ schema: string }>(
      "SELECT nspname::text AS schema FROM pg_namespace WHERE oid = pg_my_temp_schema()",
    );
    return rows[0] === undefined ? [] : await readCatalog(client, rows[0].schema);
  } finally {
    await client.query("ROLLBACK");
  }
}

async function rebuild(client: pg.Client, { name, up }: Migration): Promise<void> {
  try {
    await client.query(up.map(stepToSql).join(";\n"));
  } catch (cause) {
    throw new MigrationError(whyNot(name, cause), { cause });
  }
}

function whyNot(migration: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "42501")
    return (
      `verify makes temporary tables, which vanish again, and may not: ${reason}; ` +
      "GRANT TEMPORARY ON DATABASE … TO the role of SERVICE_DATABASE_URL"
    );
  return `${migration} cannot be run once more, to compare what it makes: ${reason}`;
}
