import type pg from "pg";
import type { Logger } from "pino";
import type { CatalogTable } from "../../../../vocabulary/migrations/catalog.ts";
import { internalPrefix } from "../../../../vocabulary/migrations/internal-tables.ts";
import type { Migration } from "../../../../vocabulary/migrations/migration-steps.ts";
import { readCatalog } from "../../catalog/index.ts";
import type { Timing } from "../apply/timing.ts";
import { readMadeObjects } from "../history/made-objects.ts";
import { MigrationError } from "../migration-error.ts";
import { stepToSql } from "../steps/steps-to-sql.ts";
import { compareCatalogs } from "./compare-catalogs.ts";
import type { Comparison } from "./difference.ts";
import { liveTables } from "./live-tables.ts";
import { withoutMade } from "./made-by-own-sql.ts";

/** The built tables are empty, and invisible to other sessions. */
const transaction = "begin read write; set local search_path = pg_temp; set local statement_timeout = '120s'";

/** The tables that migrations make when they run from the beginning, seen in a transaction that is rolled back. */
async function rebuilt(
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<readonly CatalogTable[]> {
  await client.query(transaction);
  try {
    for (const migration of migrations) await rebuild(client, migration);
    const { rows } = await client.query<{ schema: string }>(
      "select nspname::text as schema from pg_namespace where oid = pg_my_temp_schema()",
    );
    return rows[0] === undefined ? [] : await readCatalog(client, rows[0].schema);
  } finally {
    await client.query("rollback");
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
      `to compare, temporary tables are made, which vanish again, and this role may not: ${reason}; ` +
      "GRANT TEMPORARY ON DATABASE … TO the role of SERVICE_DATABASE_URL"
    );
  const hint = code === "42P01" ? "; note what makes that table first (npm run migrate -- baseline …)" : "";
  return `${migration} cannot be run once more, to compare what it makes: ${reason}${hint}`;
}

/**
 * Returns how the tables of the database differ from those that its migrations create. Runs the migrations
 * again, in this order, as temporary tables in a transaction that is rolled back. Changes nothing. Ignores
 * Kirak's own tables and the additional objects that migrations of own SQL made.
 */
export async function compareWithLive(
  client: pg.Client,
  migrations: readonly Migration[],
  timing: Timing,
  log: Logger,
): Promise<Comparison> {
  // Before temporary tables hide those of the same name.
  const live = await liveTables(client, timing, log);
  const made = await readMadeObjects(client);
  const expected = await rebuilt(client, migrations);
  return withoutMade(compareCatalogs(expected, withoutOwn(live, expected)), made, migrations);
}

function withoutOwn(live: readonly CatalogTable[], expected: readonly CatalogTable[]): CatalogTable[] {
  const names = new Set(expected.map(({ name }) => name));
  return live.filter(({ name }) => names.has(name) || !name.startsWith(internalPrefix));
}
