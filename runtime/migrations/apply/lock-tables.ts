import type pg from "pg";
import type { Statement } from "../plan/online-plan.ts";
import type { TableLock } from "../plan/parts.ts";
import { name } from "../steps/quoting.ts";

/** Those that are there, each once with its strongest lock. Without a right to lock a table, the step does so itself. */
const lockable = `
  WITH wanted AS (
    SELECT w.*, to_regclass(w."table") AS oid
    FROM jsonb_to_recordset($1) AS w(step int, "table" text, mode text, "all" boolean, key text, "column" text)
  ), locked AS (
    SELECT step, oid, mode FROM wanted
    UNION ALL
    SELECT w.step, CASE k.conrelid WHEN w.oid THEN k.confrelid ELSE k.conrelid END, 'ACCESS EXCLUSIVE'
    FROM wanted w JOIN pg_constraint k ON k.contype = 'f' AND w.oid::oid IN (k.conrelid, k.confrelid)
    LEFT JOIN pg_attribute a ON a.attrelid = w.oid AND a.attname = w."column"
    WHERE w."all" OR k.conname = w.key OR k.conrelid = w.oid AND a.attnum = ANY (k.conkey)
      OR k.confrelid = w.oid AND a.attnum = ANY (k.confkey)
  )
  SELECT min(l.step) AS step, c.oid::regclass::text AS "table", min(l.mode) AS mode
  FROM locked l JOIN pg_class c ON c.oid = l.oid
  WHERE c.relkind IN ('r', 'p') AND has_table_privilege(c.oid, 'UPDATE, DELETE, TRUNCATE')
  GROUP BY c.oid ORDER BY c.relname, c.oid`;

/**
 * Locks all tables that a transaction will need, before it does anything: what is long is then not done in vain, and
 * nobody waits for a table that is locked already longer than `timeoutMs` while another one is waited for.
 */
export async function lockTables(
  connection: pg.ClientBase,
  locks: readonly TableLock[],
  timeoutMs: number,
  run: (statement: Statement) => Promise<unknown>,
): Promise<void> {
  if (locks.length === 0) return;
  const wanted = locks.map(({ table, keys, ...lock }) => ({ ...lock, table: name(table), ...ends(keys) }));
  const { rows } = await connection.query<{ step: number; table: string; mode: string }>(lockable, [
    JSON.stringify(wanted),
  ]);
  const until = performance.now() + timeoutMs;
  for (const { step, table, mode } of rows) {
    const rest = Math.max(1, Math.ceil(until - performance.now()));
    await run({ step, sql: `SET LOCAL lock_timeout = ${rest}; LOCK TABLE ${table} IN ${mode} MODE` });
  }
  await connection.query(`SET LOCAL lock_timeout = ${timeoutMs}`);
}

function ends(keys: TableLock["keys"]): { all?: true; key?: string; column?: string | null } {
  if (keys === undefined) return {};
  if (keys === "all") return { all: true };
  return "name" in keys ? { key: keys.name } : keys;
}
