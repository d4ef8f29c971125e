import type pg from "pg";
import { customObjectsTable, tableExists } from "./history-tables.ts";

/** A table or an object of a table that custom SQL created; `kind` and `name` as in `Difference`. */
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

/** The objects that custom SQL created, with the table names of that time. */
export async function readCustomObjects(client: pg.Client): Promise<CustomObject[]> {
  if (!(await tableExists(client, customObjectsTable))) return [];
  const { rows } = await client.query<CustomObject>(
    `select migration, kind, "table", name from ${customObjectsTable}`,
  );
  return rows;
}

/** The tables that custom SQL created. */
export async function readCustomTables(client: pg.Client): Promise<string[]> {
  return (await readCustomObjects(client)).flatMap(({ kind, table }) => (kind === "table" ? [table] : []));
}

export async function recordCustomObjects(
  client: pg.Client,
  objects: readonly CustomObject[],
): Promise<void> {
  await client.query(
    `insert into ${customObjectsTable} (migration, kind, "table", name)
      select * from jsonb_to_recordset($1) as made(migration text, kind text, "table" text, name text)`,
    [JSON.stringify(objects)],
  );
}

export async function deleteCustomObjects(client: pg.Client, migration: string): Promise<void> {
  if (await tableExists(client, customObjectsTable))
    await client.query(`delete from ${customObjectsTable} where migration = $1`, [migration]);
}
