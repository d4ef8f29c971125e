import type pg from "pg";
import { tableExists } from "./history-table.ts";
import { madeObjectsTable } from "./own-tables.ts";

/** Something that a migration of own SQL made on a table, or a table; `kind` and `name` are those of a difference. */
export interface MadeObject {
  readonly migration: string;
  readonly kind: string;
  readonly table: string;
  readonly name: string | null;
}

export async function createMadeObjects(client: pg.Client): Promise<void> {
  await client.query(
    `create table if not exists ${madeObjectsTable} (migration text not null, kind text not null, "table" text not null, name text)`,
  );
}

/** What migrations of own SQL made, as they were called then. */
export async function readMadeObjects(client: pg.Client): Promise<MadeObject[]> {
  if (!(await tableExists(client, madeObjectsTable))) return [];
  const { rows } = await client.query<MadeObject>(
    `select migration, kind, "table", name from ${madeObjectsTable}`,
  );
  return rows;
}

export async function noteMadeObjects(client: pg.Client, made: readonly MadeObject[]): Promise<void> {
  await client.query(
    `insert into ${madeObjectsTable} (migration, kind, "table", name)
      select * from jsonb_to_recordset($1) as made(migration text, kind text, "table" text, name text)`,
    [JSON.stringify(made)],
  );
}

export async function forgetMadeObjects(client: pg.Client, migration: string): Promise<void> {
  await client.query(`delete from ${madeObjectsTable} where migration = $1`, [migration]);
}
