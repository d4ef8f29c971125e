import type pg from "pg";
import type { Table } from "./shop.ts";

const batch = 1000;
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Names of the tables that hold rows. */
export async function filledTables(client: pg.Client, tables: readonly Table[]): Promise<string[]> {
  const filled: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await client.query(`select 1 from ${quoted(name)} limit 1`);
    if (rowCount) filled.push(name);
  }
  return filled;
}

/** Empties the tables, and those that refer to them. */
export async function emptyTables(client: pg.Client, tables: readonly Table[]): Promise<void> {
  await client.query(
    `truncate ${tables.map(({ name }) => quoted(name)).join(", ")} restart identity cascade`,
  );
}

/** Writes one table in one transaction, a thousand rows a statement. `onProgress` gets the rows written so far. */
export async function insertTable(
  client: pg.Client,
  table: Table,
  onProgress: (done: number) => void,
): Promise<void> {
  const [first] = table.rows;
  if (first === undefined) return;
  const columns = Object.keys(first).map(quoted).join(", ");
  const name = quoted(table.name);
  const statement = `insert into ${name} (${columns}) overriding system value
    select ${columns} from json_populate_recordset(null::${name}, $1)`;
  await client.query("begin");
  for (let start = 0; start < table.rows.length; start += batch) {
    const rows = table.rows.slice(start, start + batch);
    await client.query(statement, [JSON.stringify(rows)]);
    onProgress(start + rows.length);
  }
  // The rows brought their ids along; the next row that the server makes must not repeat one.
  if (typeof first["id"] === "number") {
    await client.query(`select setval(pg_get_serial_sequence($1, 'id'), (select max(id) from ${name}))`, [
      name,
    ]);
  }
  await client.query("commit");
}
