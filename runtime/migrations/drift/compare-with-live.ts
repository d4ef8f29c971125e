import type pg from "pg";
import type { Logger } from "pino";
import type { CatalogTable } from "../../../vocabulary/catalog.ts";
import { ownPrefix } from "../../../vocabulary/internal-tables.ts";
import type { Migration } from "../../../vocabulary/migration-steps.ts";
import { readCatalog } from "../../catalog/index.ts";
import { patiently } from "../apply/patience.ts";
import type { Timing } from "../apply/timing.ts";
import { historyTable } from "../history/history-table.ts";
import { MigrationError } from "../migration-error.ts";
import { compareCatalogs } from "./compare-catalogs.ts";
import type { Comparison } from "./difference.ts";
import { rebuilt } from "./rebuilt.ts";

/**
 * How the tables of the database differ from those that migrations make when they run once more, in this order, as
 * temporary tables in a transaction that is rolled back. Changes nothing. Kirak's own tables do not count.
 */
export async function compareWithLive(
  client: pg.Client,
  migrations: readonly Migration[],
  timing: Timing,
  log: Logger,
): Promise<Comparison> {
  // Before temporary tables hide those of the same name.
  const live = await liveTables(client, timing, log);
  const expected = await rebuilt(client, migrations);
  return compareCatalogs(expected, withoutOwn(live, expected));
}

function withoutOwn(live: readonly CatalogTable[], expected: readonly CatalogTable[]): CatalogTable[] {
  const names = new Set(expected.map(({ name }) => name));
  return live.filter(({ name }) => names.has(name) || !name.startsWith(ownPrefix));
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

/** Where this connection finds the tables: that of the history, or where it would be made. */
async function schemaOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ schema: string }>(
    `select coalesce(
      (select nspname from pg_namespace where oid = (select relnamespace from pg_class where oid = to_regclass($1))),
      current_schema(), 'public')::text as schema`,
    [historyTable],
  );
  return rows[0]?.schema ?? "public";
}
