import type pg from "pg";
import type { CatalogTable } from "../../../../vocabulary/migrations/catalog.ts";
import type { Migration } from "../../../../vocabulary/migrations/migration-steps.ts";
import { MigrationError } from "../migration-error.ts";
import type { CodeMigrations } from "./compare-history.ts";
import { revertProgressTable, sqlProgressTable, tableExists } from "./history-tables.ts";
import { checksumOfContent } from "./migration-checksum.ts";

/** The progress of a migration of custom SQL that is applied in several transactions. */
export interface SqlProgress {
  readonly name: string;
  /** Checksum of the finished and running parts. */
  readonly done: string;
  /** Number of finished texts. */
  readonly texts: number;
  /** Whether the next text was started. The text can have ended before the run was interrupted. */
  readonly running: boolean;
  /** Number of finished back-fills. */
  readonly batches: number;
  /** The highest id of the running back-fill, and the last finished id; null before its first batch. */
  readonly highest: string | null;
  readonly position: string | null;
  /** Number of rows in the finished batches. */
  readonly rows: number;
  /** Finished part of the running back-fill. */
  readonly percent: number | null;
  /** The tables before the migration. */
  readonly catalog: readonly CatalogTable[];
}

/** The columns of a row without its name and catalog. */
export type SqlPosition = Omit<SqlProgress, "name" | "catalog">;

export async function createSqlProgress(client: pg.Client): Promise<void> {
  await client.query(
    `create table if not exists ${sqlProgressTable} (name text primary key, done text not null, texts int not null,
      running boolean not null, batches int not null, highest text, position text, rows bigint not null, percent int,
      catalog jsonb not null)`,
  );
}

/** The partly applied migrations of custom SQL, at most one, without their catalogs. */
export async function readSqlProgress(client: pg.Client): Promise<Omit<SqlProgress, "catalog">[]> {
  if (!(await tableExists(client, sqlProgressTable))) return [];
  const { rows } = await client.query<Omit<SqlProgress, "catalog">>(
    `select name, done, texts, running, batches, highest, position, rows::float8 as rows, percent
      from ${sqlProgressTable} order by name`,
  );
  return rows;
}

/** The tables before a migration began. */
export async function catalogBefore(client: pg.Client, name: string): Promise<readonly CatalogTable[]> {
  const { rows } = await client.query<{ catalog: CatalogTable[] }>(
    `select catalog from ${sqlProgressTable} where name = $1`,
    [name],
  );
  return rows[0]?.catalog ?? [];
}

/** Records that a migration begins. */
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

/** The partly applied migrations of custom SQL. Throws a MigrationError if the code does not have them. */
export async function begunMigrations(
  client: pg.Client,
  { migrations }: CodeMigrations,
): Promise<Migration[]> {
  const begun = await readSqlProgress(client);
  return begun.map(({ name }) => {
    const migration = migrations.find((other) => other.name === name);
    if (migration !== undefined) return migration;
    throw new MigrationError(
      `the database is newer than this code: ${name} is partly applied; deploy the code that has it, or revert it with ` +
        "that code (npm run migrate -- down)",
    );
  });
}

export async function createRevertProgress(client: pg.Client): Promise<void> {
  await client.query(
    `create table if not exists ${revertProgressTable} (name text primary key, done text not null, texts int not null)`,
  );
}

/** The number of finished texts of `down`. Throws a MigrationError if they were changed since then. */
export async function revertedTexts(
  client: pg.Client,
  name: string,
  texts: readonly string[],
): Promise<number> {
  const { rows } = await client.query<{ done: string; texts: number }>(
    `select done, texts from ${revertProgressTable} where name = $1`,
    [name],
  );
  const [row] = rows;
  if (row === undefined) return 0;
  if (row.done === checksumOfContent(texts.slice(0, row.texts))) return row.texts;
  throw new MigrationError(
    `${name} is partly reverted (${row.texts} of ${texts.length} texts), and these texts of down were changed since then; restore the file`,
  );
}

/** Records the finished texts. */
export async function recordRevertedTexts(
  client: pg.Client,
  name: string,
  done: readonly string[],
): Promise<void> {
  await client.query(
    `insert into ${revertProgressTable} (name, done, texts) values ($1, $2, $3)
      on conflict (name) do update set done = excluded.done, texts = excluded.texts`,
    [name, checksumOfContent(done), done.length],
  );
}

/** Must run in the transaction that records the migration as reverted. */
export async function deleteRevertProgress(client: pg.Client, name: string): Promise<void> {
  await client.query(`delete from ${revertProgressTable} where name = $1`, [name]);
}

/** Throws a MigrationError if the migration is partly reverted: its recorded progress is no longer true. */
export async function requireNotReverting(client: pg.Client, name: string): Promise<void> {
  if (!(await tableExists(client, revertProgressTable))) return;
  const { rows } = await client.query(`select from ${revertProgressTable} where name = $1`, [name]);
  if (rows.length > 0)
    throw new MigrationError(
      `${name} is partly reverted: revert the rest first, with npm run migrate -- down`,
    );
}
