import type pg from "pg";
import type { Logger } from "pino";
import type { CatalogTable } from "../../../../vocabulary/migrations/catalog.ts";
import { internalPrefix } from "../../../../vocabulary/migrations/internal-tables.ts";
import type { Migration } from "../../../../vocabulary/migrations/migration-steps.ts";
import { readCatalog } from "../../catalog/index.ts";
import type { Timing } from "../apply/timing.ts";
import { foundPartsOf } from "../history/baseline-objects.ts";
import { readCustomObjects } from "../history/custom-objects.ts";
import { MigrationError } from "../migration-error.ts";
import { stepToSql } from "../steps/steps-to-sql.ts";
import { compareCatalogs } from "./compare-catalogs.ts";
import type { Comparison } from "./difference.ts";
import { compareValues, expectedValues, onLastValues, presentValues } from "./enum-values.ts";
import { comparableTables, flatStep, withFoundObjects } from "./found-parts.ts";
import { liveTables, schemaOfTables } from "./live-tables.ts";
import { withoutCustomObjects } from "./sql-additions.ts";

/** Temporary tables are empty, and invisible to other sessions. */
const transaction = "begin read write; set local statement_timeout = '120s'";
/** Tables that were there before Kirak use types and functions of the database. */
const searchPath = {
  own: "set local search_path = pg_temp",
  found: "select set_config('search_path', 'pg_temp, ' || current_setting('search_path'), true)",
} as const;

/** The tables that all migrations create together. Runs them in a transaction that is rolled back. */
async function rebuildTables(
  client: pg.Client,
  migrations: readonly Migration[],
  schemas: readonly string[] | null,
): Promise<readonly CatalogTable[]> {
  await client.query(`${transaction}; ${searchPath[schemas === null ? "own" : "found"]}`);
  try {
    for (const migration of migrations) await rebuild(client, migration);
    const { rows } = await client.query<{ schema: string }>(
      "select nspname::text as schema from pg_namespace where oid = pg_my_temp_schema()",
    );
    return rows[0] === undefined ? [] : await readCatalog(client, rows[0].schema, schemas ?? []);
  } finally {
    await client.query("rollback");
  }
}

async function rebuild(client: pg.Client, { name, up }: Migration): Promise<void> {
  try {
    await client.query(up.map((step) => stepToSql(flatStep(step))).join(";\n"));
  } catch (cause) {
    throw new MigrationError(rebuildProblem(name, cause), { cause });
  }
}

function rebuildProblem(migration: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "42501")
    return (
      `the comparison needs temporary tables, which this role cannot create: ${reason}; ` +
      "GRANT TEMPORARY ON DATABASE … TO the role of SERVICE_DATABASE_URL"
    );
  const hint =
    code === "42P01"
      ? "; first mark the migration that creates this table as applied (npm run migrate -- baseline …)"
      : "";
  return `${migration} cannot be run again for the comparison: ${reason}${hint}`;
}

/**
 * Returns how the tables of the database differ from those that its migrations create. Runs the migrations
 * again, in this order, as temporary tables in a transaction that is rolled back. Changes nothing. Ignores
 * Kirak's own tables and the additional objects that custom SQL created.
 */
export async function compareWithLive(
  client: pg.Client,
  migrations: readonly Migration[],
  timing: Timing,
  log: Logger,
): Promise<Comparison> {
  // Before temporary tables hide the tables of the same names.
  const parts = foundPartsOf(migrations);
  const live = await liveTables(client, timing, log, parts?.schemas);
  const customObjects = await readCustomObjects(client);
  const values = expectedValues(migrations);
  const present = await presentValues(client, values);
  const schemas = parts === null ? null : [await schemaOfTables(client), ...parts.schemas];
  const expected = await rebuildTables(client, onLastValues(migrations, values, present), schemas);
  const actual = withoutInternalTables(live, expected);
  const comparison = withoutCustomObjects(
    parts === null
      ? compareCatalogs(expected, actual)
      : compareCatalogs(comparableTables(expected, schemas), comparableTables(actual, schemas)),
    customObjects,
    migrations,
  );
  const tables = parts === null ? comparison : await withFoundObjects(client, comparison, parts, migrations);
  const enums = compareValues(values, present);
  return {
    differences: [...tables.differences, ...enums.differences],
    notes: [...tables.notes, ...enums.notes],
  };
}

function withoutInternalTables(
  live: readonly CatalogTable[],
  expected: readonly CatalogTable[],
): CatalogTable[] {
  const names = new Set(expected.map(({ name }) => name));
  return live.filter(({ name }) => names.has(name) || !name.startsWith(internalPrefix));
}
