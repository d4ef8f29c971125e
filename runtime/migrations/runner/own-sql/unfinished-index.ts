import type pg from "pg";
import { sqlName } from "../steps/quoting.ts";

const createIndexPattern =
  /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?("(?:[^"]|"")+"|\w+)/i;

/**
 * Drops the index that a statement was making when it failed or was stopped: PostgreSQL leaves an invalid one behind, which IF
 * NOT EXISTS would take for the whole.
 */
export async function dropUnfinishedIndex(client: pg.Client, sql: string): Promise<void> {
  const [, index] = createIndexPattern.exec(sql) ?? [];
  if (index === undefined) return;
  const { rows } = await client.query<{ schema: string; name: string }>(
    `select nspname::text as schema, relname::text as name from pg_index
      join pg_class c on c.oid = indexrelid join pg_namespace n on n.oid = relnamespace
      where indexrelid = to_regclass($1) and not indisvalid`,
    [index],
  );
  for (const found of rows)
    await client.query(`drop index concurrently if exists ${sqlName(found.schema)}.${sqlName(found.name)}`);
}
