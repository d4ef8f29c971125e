import type { TestDatabase } from "../../../support/database.ts";

type Query = TestDatabase["query"];

/** The definitions of all objects in some schemas, one a line, read from the catalog of PostgreSQL and without Kirak's code. */
export async function printOfSchemas(query: Query, schemas: readonly string[]): Promise<string[]> {
  const rows = await query(
    `with named as (select oid from pg_namespace where nspname = any($1)),
      relations as (select c.* from pg_class c where relnamespace in (select oid from named)
        and c.relname not like 'kirak\\_%')
     select 'relation ' || oid::regclass || ' ' || relkind::text || ' ' || relowner::regrole || ' ' || coalesce(relacl::text, '') || relrowsecurity
        || coalesce(pg_get_viewdef(case when relkind in ('v', 'm') then oid end), '') || coalesce(reloptions::text, '') || relfilenode as line from relations
     union all select 'column ' || r.oid::regclass || ' ' || to_jsonb(a)::text || coalesce(pg_get_expr(d.adbin, d.adrelid), '')
       from relations r join pg_attribute a on a.attrelid = r.oid left join pg_attrdef d on d.adrelid = r.oid and d.adnum = a.attnum
     union all select 'constraint ' || k.conname || ' ' || k.conrelid::regclass || ' ' || pg_get_constraintdef(k.oid)
       from relations r join pg_constraint k on k.conrelid = r.oid
     union all select 'index ' || pg_get_indexdef(i.indexrelid) from relations r join pg_index i on i.indrelid = r.oid
     union all select 'trigger ' || pg_get_triggerdef(t.oid) || t.tgenabled::text from relations r join pg_trigger t on t.tgrelid = r.oid
     union all select 'policy ' || to_jsonb(p)::text from relations r join pg_policy p on p.polrelid = r.oid
     union all select 'function ' || p.oid::regprocedure || ' ' || coalesce(p.proacl::text, '') || p.prosrc || p.prosecdef
       from pg_proc p where pronamespace in (select oid from named)
     union all select 'type ' || to_jsonb(t)::text from pg_type t where typnamespace in (select oid from named) and typname not like '%kirak\\_%'
     union all select 'label ' || to_jsonb(e)::text from pg_enum e
     union all select 'sequence ' || to_jsonb(s)::text from pg_sequence s join relations r on r.oid = s.seqrelid`,
    [schemas],
  );
  return rows.map(({ line }) => String(line)).toSorted();
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
