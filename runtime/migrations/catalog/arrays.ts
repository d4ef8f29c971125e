import pg from "pg";
import type { CatalogArrays, CatalogTable } from "../../../vocabulary/migrations/catalog.ts";
import { queryWithTimeout } from "./look-through.ts";

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
  const from = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`;
  const queries = columns.map((column) => query(from, column));
  const rows = await queryWithTimeout<CatalogArrays>(client, queries.join(" union all "));
  if (rows === null) return columns.map((column) => ({ table, column, nulls: null, nested: null }));
  return rows.map((row) => ({ ...row, table }));
}

function query(from: string, column: string): string {
  const held = pg.escapeIdentifier(column);
  return `select ${pg.escapeLiteral(column)}::text as column,
    exists (select from ${from} as t where exists (select from unnest(t.${held}) as e (element) where e.element is null)) as nulls,
    exists (select from ${from} as t where array_ndims(t.${held}) > 1) as nested`;
}
