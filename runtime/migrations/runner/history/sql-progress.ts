import type pg from "pg";
import type { CatalogTable } from "../../../../vocabulary/migrations/catalog.ts";
import type { Migration } from "../../../../vocabulary/migrations/migration-steps.ts";
import { MigrationError } from "../migration-error.ts";
import type { CodeMigrations } from "./compare-history.ts";
import { sqlProgressTable, tableExists } from "./history-tables.ts";

/** How far a migration of own SQL is that is being applied piece by piece. */
export interface SqlProgress {
  readonly name: string;
  /** Checksum of the pieces that are done or under way. */
  readonly done: string;
  /** How many texts are done. */
  readonly texts: number;
  /** Whether the next one was begun: a stop may have come before or after its end. */
  readonly running: boolean;
  /** How many back-fills are done. */
  readonly batches: number;
  /** The highest id of the back-fill under way, and the one that is done; null before its first batch. */
  readonly highest: string | null;
  readonly position: string | null;
  /** How many rows the batches had so far. */
  readonly rows: number;
  /** How much of the back-fill under way is done. */
  readonly percent: number | null;
  /** The tables as they were before it. */
  readonly catalog: readonly CatalogTable[];
}

/** The columns of each row in addition to its name. */
export type SqlPosition = Omit<SqlProgress, "name" | "catalog">;

export async function createSqlProgress(client: pg.Client): Promise<void> {
  await client.query(
    `create table if not exists ${sqlProgressTable} (name text primary key, done text not null, texts int not null,
      running boolean not null, batches int not null, highest text, position text, rows bigint not null, percent int,
      catalog jsonb not null)`,
  );
}

/** The migrations of own SQL that were begun and are not applied yet; at most one, without their catalogs. */
export async function readSqlProgress(client: pg.Client): Promise<Omit<SqlProgress, "catalog">[]> {
  if (!(await tableExists(client, sqlProgressTable))) return [];
  const { rows } = await client.query<Omit<SqlProgress, "catalog">>(
    `select name, done, texts, running, batches, highest, position, rows::float8 as rows, percent
      from ${sqlProgressTable} order by name`,
  );
  return rows;
}

/** The tables as they were before a migration was begun. */
export async function catalogBefore(client: pg.Client, name: string): Promise<readonly CatalogTable[]> {
  const { rows } = await client.query<{ catalog: CatalogTable[] }>(
    `select catalog from ${sqlProgressTable} where name = $1`,
    [name],
  );
  return rows[0]?.catalog ?? [];
}

/** Begins one: nothing of it is done. */
export async function insertSqlProgress(
  client: pg.Client,
  name: string,
  done: string,
  catalog: readonly CatalogTable[],
): Promise<void> {
  await client.query(
    `insert into ${sqlProgressTable} (name, done, texts, running, batches, rows, catalog)
      values ($1, $2, 0, false, 0, 0, $3)`,
    [name, done, JSON.stringify(catalog)],
  );
}

/** Records the progress. Returns whether the migration had begun before. */
export async function recordSqlProgress(client: pg.Client, name: string, is: SqlPosition): Promise<boolean> {
  const { rowCount } = await client.query(
    `update ${sqlProgressTable} set done = $2, texts = $3, running = $4, batches = $5, highest = $6, position = $7,
      rows = $8, percent = $9 where name = $1`,
    [name, is.done, is.texts, is.running, is.batches, is.highest, is.position, is.rows, is.percent],
  );
  return rowCount === 1;
}

/** Deletes the progress. Returns whether the migration had begun. */
export async function deleteSqlProgress(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query(`delete from ${sqlProgressTable} where name = $1`, [name]);
  return rowCount === 1;
}

/** The migrations of own SQL that are half-way. Throws a MigrationError where the code does not have them. */
export async function begunMigrations(
  client: pg.Client,
  { migrations }: CodeMigrations,
): Promise<Migration[]> {
  const begun = await readSqlProgress(client);
  return begun.map(({ name }) => {
    const migration = migrations.find((other) => other.name === name);
    if (migration !== undefined) return migration;
    throw new MigrationError(
      `the database is newer than this code: ${name} is half-way in it; deploy the code that has it, or take it back with ` +
        "that code (npm run migrate -- down)",
    );
  });
}
