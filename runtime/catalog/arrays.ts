import pg from "pg";
import type { CatalogArrays, CatalogTable } from "../../vocabulary/catalog.ts";

/** How long a table is looked through; a large one may take longer, and then nothing is known of it. */
const patience = "5s";

/** What the arrays in some tables hold that no list of a field has. Rows are read until one is found, and nothing is changed. */
export async function readArrays(
  client: pg.ClientBase,
  schema: string,
  tables: readonly CatalogTable[],
): Promise<CatalogArrays[]> {
  const found: CatalogArrays[] = [];
  for (const table of tables.filter(({ kind }) => kind === "table")) {
    const columns = table.columns.filter(isArray).map(({ name }) => name);
    if (columns.length > 0) found.push(...(await arraysOf(client, schema, table.name, columns)));
  }
  return found.filter(({ nulls, nested }) => nulls !== false || nested !== false);
}

function isArray({ type, baseType }: CatalogTable["columns"][number]): boolean {
  return (baseType ?? type).endsWith("[]");
}

async function arraysOf(
  client: pg.ClientBase,
  schema: string,
  table: string,
  columns: readonly string[],
): Promise<CatalogArrays[]> {
  await client.query(`begin read only; set local statement_timeout = '${patience}'`);
  try {
    const from = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`;
    const { rows } = await client.query<CatalogArrays>(
      columns.map((column) => query(from, column)).join(" union all "),
    );
    return rows.map((row) => ({ ...row, table }));
  } catch {
    // It is large, or the role may not read it.
    return columns.map((column) => ({ table, column, nulls: null, nested: null }));
  } finally {
    await client.query("rollback");
  }
}

function query(from: string, column: string): string {
  const held = pg.escapeIdentifier(column);
  return `select ${pg.escapeLiteral(column)}::text as column,
    exists (select from ${from} as t where exists (select from unnest(t.${held}) as e (element) where e.element is null)) as nulls,
    exists (select from ${from} as t where array_ndims(t.${held}) > 1) as nested`;
}
