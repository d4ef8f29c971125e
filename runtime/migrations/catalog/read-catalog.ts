import pg from "pg";
import type {
  CatalogColumn,
  CatalogConstraint,
  CatalogIndex,
  CatalogReference,
  CatalogTable,
} from "../../../vocabulary/migrations/catalog.ts";

type Of<Part> = Part & { readonly table: string };
type ConstraintRow = Of<Omit<CatalogConstraint, "references">> & {
  readonly toSchema: string | null;
  readonly toTable: string;
  readonly toColumns: readonly string[];
  readonly onDelete: CatalogReference["onDelete"];
};
type TableRow = Omit<CatalogTable, "columns" | "indexes" | "constraints">;

/**
 * Returns the tables and views of a schema by name, without those of extensions. Definitions omit this
 * schema's name and those of `further`, so two schemas can be compared. Needs one round trip, inside a transaction or outside.
 */
export async function readCatalog(
  client: pg.ClientBase,
  schema: string,
  further: readonly string[] = [],
): Promise<readonly CatalogTable[]> {
  const path = [schema, ...further].map((name) => pg.escapeIdentifier(name)).join(", ");
  const literal = pg.escapeLiteral(schema);
  const results = await runAll(client, [
    // PostgreSQL omits the schema of names on the search path. `true` limits the setting to the transaction.
    "select set_config('kirak.search_path', current_setting('search_path'), true)",
    `select set_config('search_path', ${pg.escapeLiteral(path)}, true)`,
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

/** For several statements the driver returns a list, which its types do not declare. */
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

/**
 * The relations of a schema, without those of extensions. Unqualified names are always PostgreSQL's own,
 * because `pg_catalog` is searched first.
 */
function relations(schema: string): string {
  return `(
    select c.* from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and not exists (select from pg_depend e
        where e.classid = 'pg_class'::regclass and e.objid = c.oid and e.deptype = 'e'))`;
}

/** The tables of a schema. `schema` is an SQL literal, as in the other queries. */
function tablesQuery(schema: string): string {
  return `
  select r.relname::text as name, obj_description(r.oid, 'pg_class') as comment,
    case when r.relispartition then 'partition' else case r.relkind when 'r' then 'table'
      when 'p' then 'partitioned table' when 'v' then 'view' when 'm' then 'materialized view'
      else 'foreign table' end end as kind,
    ${triggers("true")} as triggers, ${triggers("t.tgtype & 3 = 3")} as "rowTriggers",
    array(select w.rulename::text from pg_rewrite w where w.ev_class = r.oid and w.rulename <> '_RETURN'
      and w.ev_enabled not in ('D', 'R') order by w.rulename) as rules,
    r.relpersistence = 'u' as unlogged, row_security_active(r.oid) as "rowSecurity",
    array(select i.inhrelid::regclass::text from pg_inherits i join pg_class k on k.oid = i.inhrelid
      where i.inhparent = r.oid and not k.relispartition order by 1) as children
  from ${relations(schema)} r order by r.relname`;
}

function triggers(condition: string): string {
  return `array(select t.tgname::text from pg_trigger t
      where t.tgrelid = r.oid and not t.tgisinternal and ${condition} order by t.tgname)`;
}

/** The columns, with the base type of a domain, also through nested domains. */
function columnsQuery(schema: string): string {
  return `
  with recursive stands as (
    select oid, oid as base, -1 as modifier, typtype, typbasetype, typtypmod, typnotnull from pg_type
    union all
    select s.oid, t.oid, s.typtypmod, t.typtype, t.typbasetype, t.typtypmod, s.typnotnull or t.typnotnull
    from stands s join pg_type t on t.oid = s.typbasetype where s.typtype = 'd')
  select r.relname::text as table, a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type,
    not (a.attnotnull or s.typnotnull) as nullable, not exists (select from pg_constraint k where k.contype = 'n'
      and k.conrelid = r.oid and k.conkey[1] = a.attnum and not k.convalidated) as validated, pg_get_expr(d.adbin, d.adrelid) as default,
    case a.attidentity when 'a' then 'always' when 'd' then 'by default' end as identity,
    a.attgenerated <> '' as generated, not exists (select from pg_depend p where p.classid = 'pg_attrdef'::regclass
      and p.objid = d.oid and (p.refclassid <> 'pg_class'::regclass or p.refobjid <> r.oid)) as portable, coalesce(pg_get_expr(d.adbin, d.adrelid) like 'nextval(%', false) as sequence,
    (select jsonb_build_object('increment', q.seqincrement::text, 'maximum', q.seqmax::text, 'cycle', q.seqcycle)
      from pg_depend p join pg_sequence q on q.seqrelid in (p.objid, p.refobjid)
      where (p.classid, p.objid, p.refclassid) = ('pg_attrdef'::regclass, d.oid, 'pg_class'::regclass) or
        (p.classid, p.refclassid, p.refobjid, p.refobjsubid, p.deptype) =
        ('pg_class'::regclass, 'pg_class'::regclass, r.oid, a.attnum, 'i') limit 1) as counter,
    case when m.oid is not null then
      array(select e.enumlabel::text from pg_enum e where e.enumtypid = m.oid order by e.enumsortorder)
    end as "enumValues",
    case when m.typnamespace <> r.relnamespace then (select n.nspname || '.' from pg_namespace n where n.oid = m.typnamespace)
      else '' end || m.typname as "enumType",
    case when s.base <> s.oid then format_type(s.base, s.modifier) end as "baseType",
    a.attndims::int as dimensions,
    case when a.attcollation <> t.typcollation then l.collname::text end as collation,
    col_description(r.oid, a.attnum) as comment
  from ${relations(schema)} r
  join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
  join stands s on s.oid = a.atttypid and s.typtype <> 'd'
  join pg_type t on t.oid = a.atttypid
  join pg_type b on b.oid = s.base
  left join pg_type m on m.typtype = 'e' and m.oid = case b.typcategory when 'A' then b.typelem else b.oid end
  left join pg_collation l on l.oid = a.attcollation
  left join pg_attrdef d on d.adrelid = r.oid and d.adnum = a.attnum
  order by r.relname, a.attnum`;
}

/** The indexes. PostgreSQL 14 has no `indnullsnotdistinct`, so it is read through JSON. */
function indexesQuery(schema: string): string {
  return `
  select r.relname::text as table, x.relname::text as name, i.indisunique as unique,
    i.indisvalid and i.indisready as valid, pg_get_expr(i.indpred, i.indrelid) as predicate,
    pg_get_indexdef(i.indexrelid, 0, true) as definition, m.amname::text as method,
    case when m.amname in ('btree', 'gin') and i.indnatts = i.indnkeyatts and keys.plain
      and to_jsonb(i) ->> 'indnullsnotdistinct' is distinct from 'true' then keys.columns end as columns
  from ${relations(schema)} r
  join pg_index i on i.indrelid = r.oid
  join pg_class x on x.oid = i.indexrelid
  join pg_am m on m.oid = x.relam
  cross join lateral (
    select array_agg(a.attname::text order by k.place) as columns,
      bool_and(a.attname is not null and k.option = 0 and o.opcdefault and k.ordering = a.attcollation) as plain
    from unnest(i.indkey::int2[], i.indoption::int2[], i.indclass::oid[], i.indcollation::oid[])
      with ordinality as k (number, option, class, ordering, place)
    left join pg_attribute a on a.attrelid = r.oid and a.attnum = k.number
    left join pg_opclass o on o.oid = k.class) as keys
  order by r.relname, x.relname`;
}

/**
 * The constraints, without those that PostgreSQL derives from a reference to a partitioned table. Only
 * PostgreSQL 18 and later have `conenforced`.
 */
function constraintsQuery(schema: string): string {
  return `
  select r.relname::text as table, c.conname::text as name, c.convalidated as validated,
    case c.contype when 'p' then 'primary_key' when 'u' then 'unique' when 'f' then 'foreign_key'
      when 'c' then 'check' else 'exclusion' end as kind,
    array(${names("c.conrelid", "c.conkey")}) as columns, pg_get_constraintdef(c.oid) as definition,
    to_jsonb(c) ->> 'conenforced' is distinct from 'false' and not exists (
      select from pg_trigger t where t.tgconstraint = c.oid and t.tgenabled in ('D', 'R')) as enforced,
    tn.nspname::text as "toSchema", tc.relname::text as "toTable",
    array(${names("c.confrelid", "c.confkey")}) as "toColumns",
    case c.confdeltype when 'a' then 'no action' when 'r' then 'restrict' when 'c' then 'cascade'
      when 'n' then 'set null' when 'd' then 'set default' end as "onDelete"
  from ${relations(schema)} r
  join pg_constraint c on c.conrelid = r.oid and c.contype in ('p', 'u', 'f', 'c', 'x')
  left join pg_class tc on tc.oid = c.confrelid
  left join pg_namespace tn on tn.oid = tc.relnamespace
  where not exists (select from pg_constraint p where p.oid = c.conparentid and p.conrelid = c.conrelid)
  order by r.relname, c.conname`;
}

function names(table: string, numbers: string): string {
  return `select a.attname::text from unnest(${numbers}) with ordinality as k (number, place)
      join pg_attribute a on a.attrelid = ${table} and a.attnum = k.number order by k.place`;
}
