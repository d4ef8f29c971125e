/**
 * The relations that are read: not those that an extension made. Every name is sure to be PostgreSQL's own, for
 * `pg_catalog` is searched first.
 */
function relations(schema: string): string {
  return `(
    SELECT c.* FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = ${schema} AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
      AND NOT EXISTS (SELECT FROM pg_depend e
        WHERE e.classid = 'pg_class'::regclass AND e.objid = c.oid AND e.deptype = 'e'))`;
}

/** The tables of a schema. Like the other queries it takes the schema as a literal of SQL. */
export function tablesQuery(schema: string): string {
  return `
  SELECT r.relname::text AS name, obj_description(r.oid, 'pg_class') AS comment,
    CASE WHEN r.relispartition THEN 'partition' ELSE CASE r.relkind WHEN 'r' THEN 'table'
      WHEN 'p' THEN 'partitioned table' WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view'
      ELSE 'foreign table' END END AS kind,
    ${triggers("true")} AS triggers, ${triggers("t.tgtype & 3 = 3")} AS "rowTriggers",
    ARRAY(SELECT w.rulename::text FROM pg_rewrite w WHERE w.ev_class = r.oid AND w.rulename <> '_RETURN'
      AND w.ev_enabled NOT IN ('D', 'R') ORDER BY w.rulename) AS rules,
    r.relpersistence = 'u' AS unlogged, row_security_active(r.oid) AS "rowSecurity",
    ARRAY(SELECT i.inhrelid::regclass::text FROM pg_inherits i JOIN pg_class k ON k.oid = i.inhrelid
      WHERE i.inhparent = r.oid AND NOT k.relispartition ORDER BY 1) AS children
  FROM ${relations(schema)} r ORDER BY r.relname`;
}

function triggers(condition: string): string {
  return `ARRAY(SELECT t.tgname::text FROM pg_trigger t
      WHERE t.tgrelid = r.oid AND NOT t.tgisinternal AND ${condition} ORDER BY t.tgname)`;
}

/** The columns, with what a domain stands on, however many domains lie between. */
export function columnsQuery(schema: string): string {
  return `
  WITH RECURSIVE stands AS (
    SELECT oid, oid AS base, -1 AS modifier, typtype, typbasetype, typtypmod, typnotnull FROM pg_type
    UNION ALL
    SELECT s.oid, t.oid, s.typtypmod, t.typtype, t.typbasetype, t.typtypmod, s.typnotnull OR t.typnotnull
    FROM stands s JOIN pg_type t ON t.oid = s.typbasetype WHERE s.typtype = 'd')
  SELECT r.relname::text AS table, a.attname::text AS name, format_type(a.atttypid, a.atttypmod) AS type,
    NOT (a.attnotnull OR s.typnotnull) AS nullable, NOT EXISTS (SELECT FROM pg_constraint k WHERE k.contype = 'n'
      AND k.conrelid = r.oid AND k.conkey[1] = a.attnum AND NOT k.convalidated) AS validated, pg_get_expr(d.adbin, d.adrelid) AS default,
    CASE a.attidentity WHEN 'a' THEN 'always' WHEN 'd' THEN 'by default' END AS identity,
    a.attgenerated <> '' AS generated, coalesce(pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%', false) AS sequence,
    (SELECT jsonb_build_object('increment', q.seqincrement::text, 'maximum', q.seqmax::text, 'cycle', q.seqcycle)
      FROM pg_depend p JOIN pg_sequence q ON q.seqrelid IN (p.objid, p.refobjid)
      WHERE (p.classid, p.objid, p.refclassid) = ('pg_attrdef'::regclass, d.oid, 'pg_class'::regclass) OR
        (p.classid, p.refclassid, p.refobjid, p.refobjsubid, p.deptype) =
        ('pg_class'::regclass, 'pg_class'::regclass, r.oid, a.attnum, 'i') LIMIT 1) AS counter,
    CASE WHEN s.typtype = 'e' THEN
      ARRAY(SELECT e.enumlabel::text FROM pg_enum e WHERE e.enumtypid = s.base ORDER BY e.enumsortorder)
    END AS "enumValues",
    CASE WHEN s.base <> s.oid THEN format_type(s.base, s.modifier) END AS "baseType",
    CASE WHEN a.attcollation <> t.typcollation THEN l.collname::text END AS collation,
    col_description(r.oid, a.attnum) AS comment
  FROM ${relations(schema)} r
  JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN stands s ON s.oid = a.atttypid AND s.typtype <> 'd'
  JOIN pg_type t ON t.oid = a.atttypid
  LEFT JOIN pg_collation l ON l.oid = a.attcollation
  LEFT JOIN pg_attrdef d ON d.adrelid = r.oid AND d.adnum = a.attnum
  ORDER BY r.relname, a.attnum`;
}

/** The indexes. Only PostgreSQL 15 and later know `indnullsnotdistinct`, so it is asked for by name. */
export function indexesQuery(schema: string): string {
  return `
  SELECT r.relname::text AS table, x.relname::text AS name, i.indisunique AS unique,
    i.indisvalid AND i.indisready AS valid, pg_get_expr(i.indpred, i.indrelid) AS predicate,
    pg_get_indexdef(i.indexrelid, 0, true) AS definition,
    CASE WHEN m.amname = 'btree' AND i.indnatts = i.indnkeyatts AND keys.plain
      AND to_jsonb(i) ->> 'indnullsnotdistinct' IS DISTINCT FROM 'true' THEN keys.columns END AS columns
  FROM ${relations(schema)} r
  JOIN pg_index i ON i.indrelid = r.oid
  JOIN pg_class x ON x.oid = i.indexrelid
  JOIN pg_am m ON m.oid = x.relam
  CROSS JOIN LATERAL (
    SELECT array_agg(a.attname::text ORDER BY k.place) AS columns,
      bool_and(a.attname IS NOT NULL AND k.option = 0 AND o.opcdefault AND k.ordering = a.attcollation) AS plain
    FROM unnest(i.indkey::int2[], i.indoption::int2[], i.indclass::oid[], i.indcollation::oid[])
      WITH ORDINALITY AS k (number, option, class, ordering, place)
    LEFT JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum = k.number
    LEFT JOIN pg_opclass o ON o.oid = k.class) AS keys
  ORDER BY r.relname, x.relname`;
}

/**
 * The constraints, without those that PostgreSQL derives from one that points at a partitioned table. Only PostgreSQL
 * 18 and later know `conenforced`.
 */
export function constraintsQuery(schema: string): string {
  return `
  SELECT r.relname::text AS table, c.conname::text AS name, c.convalidated AS validated,
    CASE c.contype WHEN 'p' THEN 'primary_key' WHEN 'u' THEN 'unique' WHEN 'f' THEN 'foreign_key'
      WHEN 'c' THEN 'check' ELSE 'exclusion' END AS kind,
    ARRAY(${names("c.conrelid", "c.conkey")}) AS columns, pg_get_constraintdef(c.oid) AS definition,
    to_jsonb(c) ->> 'conenforced' IS DISTINCT FROM 'false' AND NOT EXISTS (
      SELECT FROM pg_trigger t WHERE t.tgconstraint = c.oid AND t.tgenabled IN ('D', 'R')) AS enforced,
    tn.nspname::text AS "toSchema", tc.relname::text AS "toTable",
    ARRAY(${names("c.confrelid", "c.confkey")}) AS "toColumns",
    CASE c.confdeltype WHEN 'a' THEN 'no action' WHEN 'r' THEN 'restrict' WHEN 'c' THEN 'cascade'
      WHEN 'n' THEN 'set null' WHEN 'd' THEN 'set default' END AS "onDelete"
  FROM ${relations(schema)} r
  JOIN pg_constraint c ON c.conrelid = r.oid AND c.contype IN ('p', 'u', 'f', 'c', 'x')
  LEFT JOIN pg_class tc ON tc.oid = c.confrelid
  LEFT JOIN pg_namespace tn ON tn.oid = tc.relnamespace
  WHERE NOT EXISTS (SELECT FROM pg_constraint p WHERE p.oid = c.conparentid AND p.conrelid = c.conrelid)
  ORDER BY r.relname, c.conname`;
}

function names(table: string, numbers: string): string {
  return `SELECT a.attname::text FROM unnest(${numbers}) WITH ORDINALITY AS k (number, place)
      JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = k.number ORDER BY k.place`;
}
