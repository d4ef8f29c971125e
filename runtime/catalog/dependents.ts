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
  WITH uses AS (
    SELECT d.classid, d.objid, d.objsubid, d.refobjid AS relation, d.refobjsubid AS number
    FROM pg_depend d WHERE d.refclassid = 'pg_class'::regclass AND d.refobjsubid > 0
    UNION ALL
    SELECT d.classid, d.objid, d.objsubid, k.conrelid, NULL
    FROM pg_depend d JOIN pg_constraint k ON k.oid = d.refobjid AND k.contype = 'p'
    WHERE d.refclassid = 'pg_constraint'::regclass),
  named AS (
    SELECT u.relation, u.number, CASE u.classid
      WHEN 'pg_rewrite'::regclass THEN
        (SELECT pg_describe_object('pg_class'::regclass, r.ev_class, 0) FROM pg_rewrite r
          WHERE r.oid = u.objid AND r.ev_class <> u.relation)
      WHEN 'pg_attrdef'::regclass THEN
        (SELECT 'generated ' || pg_describe_object('pg_class'::regclass, f.adrelid, f.adnum)
          FROM pg_attrdef f JOIN pg_attribute g ON g.attrelid = f.adrelid AND g.attnum = f.adnum
          WHERE f.oid = u.objid AND g.attgenerated <> '' AND g.attnum <> u.number)
      WHEN 'pg_trigger'::regclass THEN
        (SELECT pg_describe_object(u.classid, u.objid, 0) FROM pg_trigger t WHERE t.oid = u.objid AND NOT t.tgisinternal)
      WHEN 'pg_policy'::regclass THEN pg_describe_object(u.classid, u.objid, 0)
      WHEN 'pg_proc'::regclass THEN pg_describe_object(u.classid, u.objid, 0)
    END AS dependent FROM uses u)
  SELECT DISTINCT c.relname::text AS table, a.attname::text AS column, n.dependent
  FROM named n
  JOIN pg_class c ON c.oid = n.relation AND c.relkind IN ('r', 'p')
  JOIN pg_namespace s ON s.oid = c.relnamespace AND s.nspname = ${schema}
  LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = n.number
  WHERE n.dependent IS NOT NULL
  ORDER BY 1, 2, 3`;
}
