import pg from "pg";
import type {
  CatalogColumn,
  CatalogConstraint,
  CatalogIndex,
  CatalogReference,
  CatalogTable,
} from "../../vocabulary/catalog.ts";
import { columnsQuery, constraintsQuery, indexesQuery, tablesQuery } from "./catalog-queries.ts";

type Of<Part> = Part & { readonly table: string };
type ConstraintRow = Of<Omit<CatalogConstraint, "references">> & {
  readonly toSchema: string | null;
  readonly toTable: string;
  readonly toColumns: readonly string[];
  readonly onDelete: CatalogReference["onDelete"];
};
type TableRow = Omit<CatalogTable, "columns" | "indexes" | "constraints">;

/**
 * The tables and views of a schema by name, without those of extensions. Expressions and definitions name things of
 * that schema alone without it, so two schemas can be compared. One round trip, inside a transaction or outside.
 */
export async function readCatalog(client: pg.ClientBase, schema: string): Promise<readonly CatalogTable[]> {
  const literal = pg.escapeLiteral(schema);
  const results = await runAll(client, [
    // PostgreSQL prints what the search path finds without its schema. `true`: until the transaction ends at most.
    "select set_config('kirak.search_path', current_setting('search_path'), true)",
    `select set_config('search_path', ${pg.escapeLiteral(pg.escapeIdentifier(schema))}, true)`,
    tablesQuery(literal),
    columnsQuery(literal),
    indexesQuery(literal),
    constraintsQuery(literal),
    "select set_config('search_path', current_setting('kirak.search_path'), true)",
  ]);
  const tables: readonly TableRow[] = results[2]?.rows ?? [];
  const columns = byTable<Of<CatalogColumn>>(results[3]?.rows ?? []);
  const indexes = byTable<Of<CatalogIndex>>(results[4]?.rows ?? []);
  const constraints = byTable<ConstraintRow>(results[5]?.rows ?? []);
  return tables.map((table) => ({
    ...table,
    columns: (columns.get(table.name) ?? []).map(withoutTable),
    indexes: (indexes.get(table.name) ?? []).map(withoutTable),
    constraints: (constraints.get(table.name) ?? []).map(constraintOf),
  }));
}

/** The driver answers a text of several statements with a list, of which its types do not know. */
async function runAll(client: pg.ClientBase, statements: readonly string[]): Promise<pg.QueryResult[]> {
  const results: unknown = await client.query(statements.join(";\n"));
  return Array.isArray(results) ? results : [];
}

function byTable<Row extends { readonly table: string }>(rows: readonly Row[]): ReadonlyMap<string, Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const list = found.get(row.table);
    if (list === undefined) found.set(row.table, [row]);
    else list.push(row);
  }
  return found;
}

function withoutTable<Part>({ table: _, ...part }: Of<Part>): Omit<Of<Part>, "table"> {
  return part;
}

function constraintOf({
  table: _,
  toSchema,
  toTable,
  toColumns,
  onDelete,
  ...part
}: ConstraintRow): CatalogConstraint {
  const references =
    toSchema === null ? null : { schema: toSchema, table: toTable, columns: toColumns, onDelete };
  return { ...part, references };
}
