import type pg from "pg";
import type { Statement } from "../plan/online-plan.ts";
import type { TableLock } from "../plan/undo.ts";
import { sqlTable } from "../steps/quoting.ts";

/** Existing tables, each with its strongest lock. If the role cannot lock a table, only the step locks it. */
const lockable = `
  with requested as (
    select w.*, to_regclass(w."table") as oid
    from jsonb_to_recordset($1) as w(step int, "table" text, mode text, "all" boolean, key text, "column" text)
  ), locked as (
    select step, oid, mode from requested
    union all
    select w.step, case k.conrelid when w.oid then k.confrelid else k.conrelid end, 'access exclusive'
    from requested w join pg_constraint k on k.contype = 'f' and w.oid::oid in (k.conrelid, k.confrelid)
    left join pg_attribute a on a.attrelid = w.oid and a.attname = w."column"
    where w."all" or k.conname = w.key or k.conrelid = w.oid and a.attnum = any (k.conkey)
      or k.confrelid = w.oid and a.attnum = any (k.confkey)
  )
  select min(l.step) as step, c.oid::regclass::text as "table", min(l.mode) as mode
  from locked l join pg_class c on c.oid = l.oid
  where c.relkind in ('r', 'p') and has_table_privilege(c.oid, 'UPDATE, DELETE, TRUNCATE')
  group by c.oid order by c.relname, c.oid`;

/**
 * Locks all tables of a transaction before its first statement, so that no long work is lost to a failed
 * lock. `timeoutMs` limits the whole acquisition: no client waits longer for a table that is already locked.
 */
export async function lockTables(
  connection: pg.ClientBase,
  locks: readonly TableLock[],
  timeoutMs: number,
  run: (statement: Statement) => Promise<unknown>,
): Promise<void> {
  if (locks.length === 0) return;
  const requested = locks.map(({ table, keys, ...lock }) => ({
    ...lock,
    table: sqlTable(table),
    ...foreignKeysOf(keys),
  }));
  const { rows } = await connection.query<{ step: number; table: string; mode: string }>(lockable, [
    JSON.stringify(requested),
  ]);
  const until = performance.now() + timeoutMs;
  for (const { step, table, mode } of rows) {
    const remainingMs = Math.max(1, Math.ceil(until - performance.now()));
    await run({ step, sql: `set local lock_timeout = ${remainingMs}; lock table ${table} in ${mode} mode` });
  }
  await connection.query(`set local lock_timeout = ${timeoutMs}`);
}

function foreignKeysOf(keys: TableLock["keys"]): { all?: true; key?: string; column?: string | null } {
  if (keys === undefined) return {};
  if (keys === "all") return { all: true };
  return "name" in keys ? { key: keys.name } : keys;
}
