import { expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { adoptedProject } from "./adopted-project.ts";
import { chinook } from "./chinook.ts";
import { pagila } from "./pagila.ts";

interface FieldJson {
  readonly type: string;
  readonly column?: string;
  readonly db_type?: string;
}

interface ModelJson {
  readonly table?: string;
  readonly columns?: { readonly id?: string | null | { readonly column?: string } };
  readonly fields: Readonly<Record<string, FieldJson>>;
}

/** The value of a column in the form of the API, as SQL that makes JSON. */
function cellSql(column: string, type: string): string {
  const name = `"${column}"`;
  if (type === "bigint" || type.startsWith("numeric") || type === "interval")
    return `to_jsonb(${name}::text)`;
  if (type === "character") return `to_jsonb(rtrim(${name}::text))`;
  if (type === "USER-DEFINED" || type === "tsvector") return `to_jsonb(${name}::text)`;
  if (type.startsWith("timestamp"))
    return `to_jsonb(to_char(${type.endsWith("with time zone") && !type.includes("without") ? `${name} at time zone 'UTC'` : name}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))`;
  return `to_jsonb(${name})`;
}

/** The rows of a table as the API answers them, by SQL. */
async function expectedRows(db: TestDatabase, key: string, { table = key, columns, fields }: ModelJson) {
  const found = await db.query(
    "select column_name as name, data_type as type from information_schema.columns where table_schema = 'public' and table_name = $1",
    [table],
  );
  const types = new Map(found.map(({ name, type }) => [String(name), String(type)]));
  const id =
    columns?.id === undefined ? "id" : typeof columns.id === "string" ? columns.id : columns.id?.column;
  const cells = Object.entries(fields).flatMap(([name, { type, column = name }]) =>
    type === "has_many" ? [] : [`'${name}', ${cellSql(column, types.get(column) ?? "")}`],
  );
  const ids = columns?.id === null ? [] : [`'id', to_jsonb("${id ?? "id"}")`];
  const rows = await db.query(
    `select jsonb_build_object(${[...ids, ...cells].join(", ")}) as row from "${table}"`,
  );
  return rows.map(({ row }) => row);
}

function sorted(rows: readonly Json[]): string[] {
  return rows
    .map((row) => JSON.stringify(Object.entries(Object(row)).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .toSorted();
}

test.each([
  ["chinook", chinook],
  ["pagila", `SET TimeZone = 'UTC'; ${pagila}`],
])(
  "the service answers the rows of %s cell by cell",
  async (_, statements) => {
    const db = await testDatabase();
    await db.query(statements);
    const own = adoptedProject(db.url);
    expect(await own.introspect("--views", "--open", "admin")).toMatchObject({ status: 0, stderr: "" });
    expect(own.generator()).toMatchObject({ status: 0 });
    const ask = await own.serve();
    const models: Record<string, ModelJson> = JSON.parse(own.read("models/models.json"));
    let count = 0;
    for (const [key, model] of Object.entries(models).filter(([name]) => name !== "$schema")) {
      const { status, data } = await ask(`GET /${key}/fetch?limit=100`);
      const rows: Json[] = Object(data).items ?? Object(data).rows ?? data;
      expect([key, status]).toEqual([key, 200]);
      const expected = await expectedRows(db, key, model);
      expect([key, sorted(rows)]).toEqual([key, sorted(expected)]);
      count += rows.length;
    }
    expect(count).toBeGreaterThan(0);
  },
  120_000,
);
