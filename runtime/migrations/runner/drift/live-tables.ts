import type pg from "pg";
import type { Logger } from "pino";
import type { CatalogTable } from "../../../../vocabulary/migrations/catalog.ts";
import { readCatalog } from "../../catalog/index.ts";
import { retryOnLock } from "../apply/retry-on-lock.ts";
import type { Timing } from "../apply/timing.ts";
import { historyTable } from "../history/history-tables.ts";
import { MigrationError } from "../migration-error.ts";
import { flatTables } from "./found-parts.ts";

/** The tables of the database. Retries while an exclusive lock blocks PostgreSQL's definition functions. */
export async function liveTables(
  client: pg.Client,
  timing: Timing,
  log: Logger,
  further: readonly string[] = [],
): Promise<readonly CatalogTable[]> {
  try {
    return await retryOnLock(timing, log, () => tablesIn(client, further));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MigrationError(`the tables of the database cannot be read: ${reason}`, { cause });
  }
}

/** The tables of the first schema and of further ones, which then have the names of `flatName`. */
async function tablesIn(client: pg.Client, further: readonly string[]): Promise<readonly CatalogTable[]> {
  if (further.length === 0) return tablesNow(client);
  const home = await schemaOfTables(client);
  const tables = [...(await readCatalog(client, home, further))];
  for (const name of further)
    tables.push(...flatTables(await readCatalog(client, name, [home, ...further]), name));
  return tables;
}

/** The tables as this connection sees them, in its open transaction if there is one. */
export async function tablesNow(client: pg.Client): Promise<readonly CatalogTable[]> {
  return readCatalog(client, await schemaOfTables(client));
}

/** The schema of the tables: the one of the history, or the one in which it would be created. */
export async function schemaOfTables(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ schema: string }>(
    `select coalesce(
      (select nspname from pg_namespace where oid = (select relnamespace from pg_class where oid = to_regclass($1))),
      current_schema(), 'public')::text as schema`,
    [historyTable],
  );
  return rows[0]?.schema ?? "public";
}
