import type pg from "pg";
import { customObjectsTable, tableExists } from "./history-tables.ts";

/** Something that a migration of own SQL made on a table, or a table; `kind` and `name` are those of a difference. */
export interface CustomObject {
  readonly migration: string;
  readonly kind: string;
  readonly table: string;
  readonly name: string | null;
}

export async function createCustomObjects(client: pg.Client): Promise<void> {
  await client.query(
    `create table if not exists ${customObjectsTable} (migration text not null, kind text not null, "table" text not null, name text)`,
  );
}

/** What migrations of own SQL made, as they were called then. */
export async function readCustomObjects(client: pg.Client): Promise<CustomObject[]> {
  if (!(await tableExists(client, customObjectsTable))) return [];
  const { rows } = await client.query<CustomObject>(
    `select migration, kind, "table", name from ${customObjectsTable}`,
  );
  return rows;
}

export async function recordCustomObjects(client: pg.Client, made: readonly CustomObject[]): Promise<void> {
  await client.query(
    `insert into ${customObjectsTable} (migration, kind, "table", name)
      select * from jsonb_to_recordset($1) as made(migration text, kind text, "table" text, name text)`,
    [JSON.stringify(made)],
  );
}

export async function deleteCustomObjects(client: pg.Client, migration: string): Promise<void> {
  await client.query(`delete from ${customObjectsTable} where migration = $1`, [migration]);
}
