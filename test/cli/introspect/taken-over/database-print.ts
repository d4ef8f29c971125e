import { internalPrefix, isInternalTable } from "#vocabulary/migrations/internal-tables";
import type { TestDatabase } from "../../../support/database.ts";

type Query = TestDatabase["query"];

/** Catalogs whose rows are compared as they are. Each row belongs to a whole database or names its schema. */
const catalogs = `cast collation conversion default_acl event_trigger extension foreign_data_wrapper foreign_server language
  opclass operator opfamily publication publication_namespace publication_rel statistic_ext subscription ts_config ts_dict`;

/**
 * The definitions of all objects of a database except the service's own, one a line, read from the catalog of PostgreSQL.
 * A table that is rewritten has another line. `service` is the schema of the service's tables; null before they exist.
 */
export async function printOfDatabase(query: Query, service: string | null): Promise<string[]> {
  const candidates = await query(
    "select oid::integer, relname as name from pg_class where relkind = 'r' and relnamespace = to_regnamespace(quote_ident($1))",
    [service],
  );
  const tables = candidates.flatMap(({ oid, name }) => (isInternalTable(name) ? [oid] : []));
  const rows = await query(
    `with named as (select * from pg_namespace where nspname !~ '^(pg_|information_schema$|${internalPrefix}|kirak$)'),
      tables as (select unnest($1::oid[]) as oid),
      own as (select oid from tables union all select indexrelid from pg_index where indrelid in (select oid from tables)
        union all select objid from pg_depend where classid = 'pg_class'::regclass and refclassid = classid and refobjid in (select oid from tables)),
      relations as (select * from pg_class where relnamespace in (select oid from named) and oid not in (select oid from own)),
      types as (select * from pg_type where typnamespace in (select oid from named)
        and not exists (select from pg_class c where c.oid in (select oid from own) and reltype <> 0 and reltype in (pg_type.oid, typelem)))
     select 'schema ' || to_jsonb(n)::text as line from named n
     union all select 'relation ' || oid::regclass || ' ' || relkind::text || ' ' || relowner::regrole || ' ' || coalesce(relacl::text, '')
        || relrowsecurity || relforcerowsecurity || relreplident::text || relpersistence::text || coalesce(pg_get_expr(relpartbound, oid), '')
        || coalesce(pg_get_viewdef(case when relkind in ('v', 'm') then oid end), '') || coalesce(reloptions::text, '') || case when relkind = 'r' then relfilenode::text else '' end
       from relations
     union all select 'column ' || r.oid::regclass || ' ' || to_jsonb(a)::text || coalesce(pg_get_expr(d.adbin, d.adrelid), '')
       from relations r join pg_attribute a on a.attrelid = r.oid left join pg_attrdef d on d.adrelid = r.oid and d.adnum = a.attnum
     union all select 'constraint ' || to_jsonb(k)::text || pg_get_constraintdef(k.oid)
       from pg_constraint k where conrelid in (select oid from relations) or contypid in (select oid from types)
     union all select 'index ' || pg_get_indexdef(i.indexrelid) || to_jsonb(i)::text from relations r join pg_index i on i.indrelid = r.oid
     union all select 'trigger ' || pg_get_triggerdef(t.oid) || t.tgenabled::text from relations r join pg_trigger t on t.tgrelid = r.oid
     union all select 'rule ' || pg_get_ruledef(w.oid) || w.ev_enabled::text from relations r join pg_rewrite w on w.ev_class = r.oid
     union all select 'policy ' || to_jsonb(p)::text from relations r join pg_policy p on p.polrelid = r.oid
     union all select 'parent ' || to_jsonb(i)::text from relations r join pg_inherits i on i.inhrelid = r.oid
     union all select 'function ' || to_jsonb(p)::text from pg_proc p where pronamespace in (select oid from named)
     union all select 'type ' || to_jsonb(t)::text from types t
     union all select 'label ' || to_jsonb(e)::text from pg_enum e
     union all select 'sequence ' || to_jsonb(s)::text from pg_sequence s join relations r on r.oid = s.seqrelid
     union all select 'comment ' || to_jsonb(d)::text from pg_description d where objoid >= 16384 and objoid not in (select oid from own)
     ${catalogs
       .split(/\s+/)
       .map((name) => `union all select '${name} ' || to_jsonb(t)::text from pg_${name} t where oid >= 16384`)
       .join("\n     ")}`,
    [tables],
  );
  return rows.map(({ line }) => String(line)).toSorted();
}

/** The lines that only one of two prints has. */
export function differencesOf(before: readonly string[], after: readonly string[]): string[] {
  const [had, has] = [new Set(before), new Set(after)];
  return [
    ...before.filter((line) => !has.has(line)).map((line) => `gone: ${line}`),
    ...after.filter((line) => !had.has(line)).map((line) => `new: ${line}`),
  ];
}

/** A digest of the rows of each table. */
export async function printOfRows(query: Query, tables: readonly { readonly name: string }[]) {
  const prints: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await query(
      `select count(*)::text || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as print from ${name} t`,
    );
    prints[name] = String(row?.["print"]);
  }
  return prints;
}
