import { sqlTable } from "../../vocabulary/migrations/check-sql.ts";
import type { Database } from "../core/database/index.ts";
import { typeOf } from "../data/sql/index.ts";
import { type Column, columnsOf, type Model } from "../models/index.ts";
import type { Service } from "../server/service.ts";
import { CommandError } from "./failure.ts";

/** Types that PostgreSQL compares and assigns without an error: the statements of a model work with each of a group. */
const groups: Readonly<Record<string, string>> = {
  ...{
    varchar: "text",
    bpchar: "text",
    name: "text",
    citext: "text",
    json: "jsonb",
    timestamptz: "timestamp",
  },
  ...{
    int2: "number",
    int4: "number",
    int8: "number",
    float4: "number",
    float8: "number",
    numeric: "number",
  },
};

/** A column that a model uses, with the type that its statements have. */
interface UsedColumn {
  readonly model: Model;
  readonly column: Column;
  readonly table: string;
  readonly type: string;
}

/** Per column: what exists, and base types. An enum type is itself; the elements of an array stand for it. */
const query = `
  with recursive used as (
    select * from jsonb_to_recordset($1::jsonb) as u (place int, "table" text, "column" text, type text)
  ), held as (
    select u.place, u.type as needed, to_regclass(u."table") is not null as exists, a.atttypid as type, a.atttypmod as modifier
    from used u left join pg_attribute a
      on a.attrelid = to_regclass(u."table") and a.attname = u."column" and a.attnum > 0 and not a.attisdropped
  ), based as (
    select * from held
    union all
    select b.place, b.needed, b.exists, d.typbasetype, d.typtypmod from based b join pg_type d on d.oid = b.type and d.typtype = 'd'
  )
  select b.place, b.exists, format_type(b.type, b.modifier), h.name, h.is_list, h.is_domain, n.name, n.is_list
  from based b left join pg_type t on t.oid = b.type
  left join lateral (${typeParts("b.type")}) h on true
  left join lateral (${typeParts("to_regtype(b.needed)")}) n on true
  where t.typtype is distinct from 'd' order by b.place`;

function typeParts(type: string): string {
  return `select case when e.typtype = 'e' then e.oid::text else e.typname end as name, e.oid <> y.oid as is_list, e.typtype = 'd' as is_domain
    from pg_type y join pg_type e on e.oid = case y.typcategory when 'A' then y.typelem else y.oid end where y.oid = ${type}`;
}

/** Throws a CommandError if a column that a model uses does not exist, or has a type with which its statements fail. */
export async function requireColumns(
  database: Database,
  { models, internalModels }: Pick<Service, "models" | "internalModels">,
): Promise<void> {
  const used = [...models, ...internalModels].flatMap(({ model }) => usedColumns(model));
  const asked = used.map(({ table, column, type }, place) => ({ place, table, column: column.column, type }));
  const rows = await database.run({ name: null, text: query }, [JSON.stringify(asked)]);
  const problems = rows.flatMap(([place, ...is]) => {
    const one = used[Number(place)];
    return one === undefined ? [] : (problemOf(one, is) ?? []);
  });
  if (problems.length === 0) return;
  throw new CommandError(
    `the database does not fit the models:\n${problems.map((line) => `  ${line}\n`).join("")}` +
      "correct the models and run npm run generate, or correct the tables; npm run migrate -- verify lists all differences",
  );
}

function usedColumns(model: Model): UsedColumn[] {
  const table = sqlTable(model.schema === undefined ? model.table : `${model.schema}.${model.table}`);
  return [...columnsOf(model).values()].map((column) => {
    return { model, column, table, type: typeOf(column).sqlType };
  });
}

function problemOf(
  { model, column, table, type }: UsedColumn,
  is: readonly (string | null)[],
): string | null {
  const [exists, found, held, isList, isDomain, needed, needsList] = is;
  const subject = `${model.key}.${column.name}: `;
  if (exists !== "t") return `${subject}the table ${table} does not exist`;
  const place = `the column "${column.column}" of ${table}`;
  if (found === null) return `${subject}${place} does not exist`;
  const isSame = isList === needsList && groupOf(held) === groupOf(needed);
  return isSame || isDomain === "t"
    ? null
    : `${subject}${place} has the type ${found}, expected ${column.dbType ?? type}`;
}

function groupOf(type: string | null | undefined): string {
  return groups[type ?? ""] ?? type ?? "";
}
