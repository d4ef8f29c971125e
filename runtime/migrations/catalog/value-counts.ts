import pg from "pg";
import type { CatalogTable, CatalogValues } from "../../../vocabulary/migrations/catalog.ts";
import { queryWithTimeout } from "./look-through.ts";

const number = "$::text IN ('NaN', 'Infinity', '-Infinity')";
const timestamp = "$ < '0001-01-01 00:00:00+00' OR $ >= '10000-01-01 00:00:00+00'";
/** A type as PostgreSQL prints it, what the API has no form for, and what it rounds; `$` is the value. */
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

/** How many rows hold values that the API has no form for, or would round. Each table is read once, and nothing is changed. */
export async function readValues(
  client: pg.ClientBase,
  schema: string,
  tables: readonly CatalogTable[],
): Promise<CatalogValues[]> {
  const found: CatalogValues[] = [];
  for (const table of tables.filter(({ kind }) => kind === "table")) {
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
