import pg from "pg";
import type { CatalogArrays, CatalogTable, CatalogValues } from "../../../vocabulary/migrations/catalog.ts";

const number = "$::text IN ('NaN', 'Infinity', '-Infinity')";
const timestamp = "$ < '0001-01-01 00:00:00+00' OR $ >= '10000-01-01 00:00:00+00'";
/**
 * Pattern of a type, conditions for values without a form in the API and for rounded ones; `$` is the value.
 */
const checks: readonly (readonly [RegExp, string, string | null])[] = [
  [/^(?:numeric|real$|double precision$)/, number, null],
  [/^date$/, "$ < '0001-01-01' OR $ > '9999-12-31'", null],
  [/^time\b.* without time zone$/, "$ >= '24:00:00'", "$::time(3) <> $"],
  [/^timestamp\b.* without time zone$/, timestamp, "$::timestamp(3) <> $"],
  [/^timestamp\b.* with time zone$/, timestamp, "$::timestamptz(3) <> $"],
];

interface Check {
  readonly column: string;
  readonly problem: CatalogValues["problem"];
  readonly where: string;
}

/** Counts the rows with values that the API cannot represent or would round. Reads each table or view once. */
export async function readValues(
  client: pg.ClientBase,
  schema: string,
  tables: readonly CatalogTable[],
): Promise<CatalogValues[]> {
  const found: CatalogValues[] = [];
  for (const table of tables) {
    const from = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table.name)}`;
    const asked = table.columns.flatMap(checksOf);
    if (asked.length === 0) continue;
    const counts = asked.map(({ where }, index) => `count(*) FILTER (WHERE ${where})::text AS "${index}"`);
    const [counted] =
      (await queryWithTimeout<Record<string, string>>(client, `SELECT ${counts.join(", ")} FROM ${from}`)) ??
      [];
    asked.forEach(({ column, problem, where }, index) => {
      const rows = counted === undefined ? null : Number(counted[index]);
      const select = `SELECT * FROM ${from} WHERE ${where}`;
      if (rows !== 0) found.push({ table: table.name, column, problem, rows, select });
    });
  }
  return found;
}

function checksOf({ name, type, baseType }: CatalogTable["columns"][number]): Check[] {
  const held = baseType ?? type;
  const element = held.replace(/\[\]$/, "");
  const [, unheld, finer = null] = checks.find(([pattern]) => pattern.test(element)) ?? [];
  if (unheld === undefined) return [];
  const column = pg.escapeIdentifier(name);
  const where = (check: string) =>
    element === held
      ? check.replaceAll("$", () => column)
      : `EXISTS (SELECT FROM unnest(${column}) AS e (element) WHERE ${check.replaceAll("$", "element")})`;
  const unheldCheck = { column: name, problem: "unheld", where: where(unheld) } as const;
  return finer === null
    ? [unheldCheck]
    : [unheldCheck, { column: name, problem: "finer", where: where(finer) }];
}

/** Whether arrays contain nulls or nested arrays, which no list field can hold. Changes nothing. */
export async function readArrays(
  client: pg.ClientBase,
  schema: string,
  tables: readonly CatalogTable[],
): Promise<CatalogArrays[]> {
  const found: CatalogArrays[] = [];
  for (const table of tables) {
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

/** The tables with a bigint key beyond 2^52, or below the negative of it: JSON numbers could not hold its next values. */
export async function readLargeIds(
  client: pg.ClientBase,
  schema: string,
  tables: readonly CatalogTable[],
): Promise<string[]> {
  const large: string[] = [];
  for (const { name, columns, constraints } of tables) {
    const [key, second] = constraints.find(({ kind }) => kind === "primary_key")?.columns ?? [];
    const column = columns.find((one) => one.name === key);
    if (second !== undefined || (column?.baseType ?? column?.type) !== "bigint" || key === undefined)
      continue;
    const from = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
    const id = pg.escapeIdentifier(key);
    const query = `SELECT greatest(max(${id}), -(min(${id}) + 1)) >= 2 ^ 52 AS large FROM ${from}`;
    const [row] = (await queryWithTimeout<{ large: boolean | null }>(client, query)) ?? [];
    if (row?.large === true) large.push(name);
  }
  return large;
}

/** Time limit for the scan of a table. After it, the result is unknown. */
const scanTimeout = "5s";

/** The rows of a read-only query; null after the time limit, or if the role cannot read the table. */
export async function queryWithTimeout<Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  query: string,
): Promise<Row[] | null> {
  // One message: databases have many tables, and can be far away.
  const text = `begin read only; set local statement_timeout = '${scanTimeout}'; ${query}; rollback`;
  try {
    const results: unknown = await client.query(text);
    const [, , scan]: readonly pg.QueryResult<Row>[] = Array.isArray(results) ? results : [];
    return scan?.rows ?? null;
  } catch {
    await client.query("rollback");
    return null;
  }
}
