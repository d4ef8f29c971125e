import pg from "pg";
import type { CatalogDependent } from "../../../vocabulary/migrations/catalog.ts";

/**
 * Returns the objects that make PostgreSQL refuse to change a column's type, and the objects that need a
 * primary key. The former are views, rules, policies, triggers, functions, generated columns, publications,
 * columns of the row's type, and indexes and checks that contain its type.
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
    where d.refclassid = 'pg_constraint'::regclass
    union all
    select 'pg_type'::regclass, r.attrelid, r.attnum, c.oid, a.attnum
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type y on y.oid = c.reltype join pg_attribute r on r.atttypid in (y.oid, y.typarray) and not r.attisdropped
    join pg_class user_of on user_of.oid = r.attrelid and user_of.relkind in ('r', 'p', 'm')
    where c.relkind in ('r', 'p')),
  -- Of an enum, or a time without a zone, which gets one.
  typed as (
    select a.attrelid as relation, a.attnum as number, format_type(y.oid, null) as name, y.typtype as kind
    from pg_attribute a join pg_type y on y.oid = a.atttypid
    where y.typtype = 'e' or y.oid = 'timestamp'::regtype),
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
      when 'pg_publication_rel'::regclass then pg_describe_object(u.classid, u.objid, 0)
      when 'pg_type'::regclass then pg_describe_object('pg_class'::regclass, u.objid, u.objsubid)
      -- PostgreSQL makes these again from their text, in which another type has no operator, or one that is not immutable.
      when 'pg_class'::regclass then
        (select pg_describe_object(u.classid, u.objid, 0) from pg_index i, typed t where i.indexrelid = u.objid
          and t.relation = u.relation and t.number = u.number
          and (t.kind <> 'e' and i.indexprs is not null
            or position('::' || t.name in concat(pg_get_expr(i.indpred, i.indrelid), pg_get_expr(i.indexprs, i.indrelid))) > 0))
      when 'pg_constraint'::regclass then
        (select pg_describe_object(u.classid, u.objid, 0) from pg_constraint k, typed t where k.oid = u.objid
          and k.contype = 'c' and t.kind = 'e' and t.relation = u.relation and t.number = u.number
          and position('::' || t.name in pg_get_constraintdef(k.oid)) > 0)
    end as dependent from uses u)
  select distinct c.relname::text as table, a.attname::text as column, n.dependent
  from named n
  join pg_class c on c.oid = n.relation and c.relkind in ('r', 'p')
  join pg_namespace s on s.oid = c.relnamespace and s.nspname = ${schema}
  left join pg_attribute a on a.attrelid = c.oid and a.attnum = n.number
  where n.dependent is not null
  order by 1, 2, 3`;
}
