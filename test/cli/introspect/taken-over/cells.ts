import type { Json } from "#vocabulary/json";
import type { TestDatabase } from "../../../support/database.ts";

type Query = TestDatabase["query"];

interface FieldJson {
  readonly type: string;
  readonly column?: string;
  readonly db_type?: string;
  readonly generated?: boolean;
  readonly relationship?: { readonly model: string; readonly foreign_key?: string };
}

type StoredJson = string | null | { readonly column?: string; readonly generated?: boolean };

export interface ModelJson {
  readonly table?: string;
  readonly schema_name?: string;
  readonly id_type?: string;
  readonly view?: boolean;
  readonly read_only?: boolean;
  readonly columns?: Readonly<Record<string, StoredJson>>;
  readonly fields: Readonly<Record<string, FieldJson>>;
}

export type Models = Readonly<Record<string, ModelJson>>;

/** The physical column of `id`, `created_at` or `updated_at`; null without one. */
export function storedColumn({ columns }: ModelJson, name: string): string | null {
  const stored = columns?.[name];
  if (stored === null) return null;
  return typeof stored === "string" ? stored : (stored?.column ?? name);
}

/** The type of a field's values: a `belongs_to` has that of its target. */
export function typeOf(models: Models, field: FieldJson): string {
  if (field.type !== "belongs_to" || field.relationship === undefined) return field.type;
  const { model: key, foreign_key: name = "id" } = field.relationship;
  const model = models[key];
  if (model === undefined) throw new Error(`no model ${key}`);
  if (name !== "id") return typeOf(models, model.fields[name] ?? { type: "integer" });
  return `id ${idTypeOf(models, model)}`;
}

/** Whether a field is the foreign key that is the id of its model as well. */
export function isSharedId(model: ModelJson, [name, { type, column = name }]: readonly [string, FieldJson]) {
  return type === "belongs_to" && column === storedColumn(model, "id");
}

/** The type of the ids of a model. An id that is a foreign key has the type of its target. */
export function idTypeOf(models: Models, model: ModelJson): string {
  const shared = Object.entries(model.fields).find((field) => isSharedId(model, field));
  if (shared === undefined) return model.id_type ?? "integer";
  return typeOf(models, shared[1]).replace(/^id /, "");
}

/** The table of a model, quoted. */
export function tableOf(key: string, { table = key, schema_name: schema }: ModelJson, home: string): string {
  return `${quoted(schema ?? home)}.${quoted(table)}`;
}

/** The rows of a model as the API has to answer them, made by SQL from the types of the database. */
export async function expectedRows(query: Query, models: Models, key: string, home: string): Promise<Json[]> {
  const model = models[key];
  if (model === undefined) throw new Error(`no model ${key}`);
  const table = tableOf(key, model, home);
  const found = await query(
    `select a.attname as name, format_type(b.oid, case when t.oid = b.oid then a.atttypmod else t.typtypmod end) as type
     from pg_attribute a join pg_type t on t.oid = a.atttypid join pg_type b on b.oid = coalesce(nullif(t.typbasetype, 0), t.oid)
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped`,
    [table],
  );
  const types = new Map(found.map(({ name, type }) => [String(name), String(type)]));
  const cells = Object.entries(model.fields).flatMap(([name, field]) =>
    field.type === "has_many"
      ? []
      : [[name, cellSql(field.column ?? name, types, typeOf(models, field))] as const],
  );
  const own = ["id", "created_at", "updated_at"].flatMap((name) => {
    const column = storedColumn(model, name);
    const type = name === "id" ? `id ${idTypeOf(models, model)}` : "datetime";
    return column === null ? [] : [[name, cellSql(column, types, type)] as const];
  });
  // A function takes at most 100 arguments.
  const all = [...own, ...cells];
  const parts = Array.from({ length: Math.ceil(all.length / 40) }, (_, place) =>
    all.slice(place * 40, place * 40 + 40),
  );
  const objects = parts.map(
    (part) => `jsonb_build_object(${part.map(([name, sql]) => `${literal(name)}::text, ${sql}`).join(", ")})`,
  );
  const rows = await query(`select ${objects.join(" || ") || "'{}'::jsonb"} as row from ${table}`);
  return rows.map(({ row }) => row);
}

function cellSql(column: string, types: ReadonlyMap<string, string>, kind: string): string {
  const type = types.get(column);
  if (type === undefined) throw new Error(`no column ${column}`);
  if (!type.endsWith("[]")) return scalarSql(quoted(column), type, kind);
  const element = scalarSql("e.value", type.slice(0, -2), kind.replace("[]", ""));
  const refused = unheldSql("e.value", type.slice(0, -2));
  const values = `(select coalesce(jsonb_agg(${element} order by e.place), '[]') from unnest(${quoted(column)}) with ordinality as e (value, place))`;
  const isUnheld = `exists (select from unnest(${quoted(column)}) as e (value) where ${refused})`;
  return `case when ${quoted(column)} is not null and not ${isUnheld} then ${values} end`;
}

/** A test for values that the API cannot express. */
function unheldSql(value: string, type: string): string {
  if (/^(?:numeric|real|double)/.test(type)) return `${value}::text in ('NaN', 'Infinity', '-Infinity')`;
  if (/^(?:date|timestamp)/.test(type))
    return `not (${value} >= '0001-01-01' and ${value} < '10000-01-01' and isfinite(${value}))`;
  if (/^time\b/.test(type)) return `${value} = '24:00'`;
  return "false";
}

function scalarSql(value: string, type: string, kind: string): string {
  const text = textSql(value, type, kind);
  return `case when ${value} is not null and not (${unheldSql(value, type)}) then ${text} end`;
}

function textSql(value: string, type: string, kind: string): string {
  const exact = kind === "bigint" || kind === "id bigint";
  if (/^(?:smallint|integer|bigint)$/.test(type)) return `to_jsonb(${value}${exact ? "::text" : ""})`;
  if (/^character\(/.test(type)) return `to_jsonb(rtrim(${value}::text))`;
  const digits = Math.max(3, Number(/\((\d)\)/.exec(type)?.[1] ?? 6));
  const fraction = `rpad(to_char(${value}, 'US'), 6, '0')`;
  if (type.startsWith("timestamp")) {
    const at = type.includes("without") ? value : `${value} at time zone 'UTC'`;
    return `to_jsonb(to_char(${at}, 'YYYY-MM-DD"T"HH24:MI:SS') || '.' || left(${fraction}, ${digits}) || 'Z')`;
  }
  if (type.startsWith("time"))
    return `to_jsonb(to_char(${value}, 'HH24:MI:SS') || '.' || left(${fraction}, ${digits}))`;
  if (type === "date") return `to_jsonb(to_char(${value}, 'YYYY-MM-DD'))`;
  if (/^jsonb?$/.test(type)) return `${value}::jsonb`;
  if (/^(?:boolean|real|double)/.test(type)) return `to_jsonb(${value})`;
  return `to_jsonb(${value}::text)`;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Rows as texts that can be compared, without an order. */
export function comparable(rows: readonly Json[]): string[] {
  return rows.map((row) => JSON.stringify(sortedKeys(row))).toSorted();
}

function sortedKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sortedKeys(one)]));
}
