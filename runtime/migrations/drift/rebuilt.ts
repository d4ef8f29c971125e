import type pg from "pg";
import type { CatalogTable } from "../../../vocabulary/catalog.ts";
import type { Migration } from "../../../vocabulary/migration-steps.ts";
import { readCatalog } from "../../catalog/index.ts";
import { MigrationError } from "../migration-error.ts";
import { stepToSql } from "../steps/steps-to-sql.ts";

/** What is built is empty, and nobody else sees it. */
const transaction = "begin read write; set local search_path = pg_temp; set local statement_timeout = '120s'";

/** The tables that migrations make when they run from the beginning, seen in a transaction that is rolled back. */
export async function rebuilt(
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
