import pg from "pg";
import type { CatalogDependent } from "../../vocabulary/catalog.ts";

/**
 * Views, rules, policies, triggers, functions and generated columns that use a column of a table, and what needs a primary
 * key, by name.
 */
export async function readDependents(client: pg.ClientBase, schema: string): Promise<CatalogDependent[]> {
  const { rows } = await client.query<CatalogDependent>(dependentsQuery(pg.escapeLiteral(schema)));
  return rows;
}

function dependentsQuery(schema: string): string {
  return `
  with uses as (
    select d.classid, d.objid, d.objsubid, d.refobjid as relation, d.refobjsubid as number
    from pg_depend d where d.refclassid = 'pg_class'::regclass and d.refobjsubid > 0
    union all
    select d.classid, d.objid, d.objsubid, k.conrelid, null
    from pg_depend d join pg_constraint k on k.oid = d.refobjid and k.contype = 'p'
    where d.refclassid = 'pg_constraint'::regclass),
  named as (
    select u.relation, u.number, case u.classid
      when 'pg_rewrite'::regclass then
        (select pg_describe_object('pg_class'::regclass, r.ev_class, 0) from pg_rewrite r
          where r.oid = u.objid and r.ev_class <> u.relation)
      when 'pg_attrdef'::regclass then
        (select 'generated ' || pg_describe_object('pg_class'::regclass, f.adrelid, f.adnum)
          from pg_attrdef f join pg_attribute g on g.attrelid = f.adrelid and g.attnum = f.adnum
          where f.oid = u.objid and g.attgenerated <> '' and g.attnum <> u.number)
      when 'pg_trigger'::regclass then
        (select pg_describe_object(u.classid, u.objid, 0) from pg_trigger t where t.oid = u.objid and not t.tgisinternal)
      when 'pg_policy'::regclass then pg_describe_object(u.classid, u.objid, 0)
      when 'pg_proc'::regclass then pg_describe_object(u.classid, u.objid, 0)
    end as dependent from uses u)
  select distinct c.relname::text as table, a.attname::text as column, n.dependent
  from named n
  join pg_class c on c.oid = n.relation and c.relkind in ('r', 'p')
  join pg_namespace s on s.oid = c.relnamespace and s.nspname = ${schema}
  left join pg_attribute a on a.attrelid = c.oid and a.attnum = n.number
  where n.dependent is not null
  order by 1, 2, 3`;
}
