import type { Pool } from "./pool.ts";
import type { KeyColumns, PooledConnection } from "./pooled-connection.ts";

const known = new WeakMap<Pool, KeyColumns>();

/** The columns of primary and foreign keys, which the API answers as numbers: `bigint` fields are of the same type. Asked once. */
export async function keyColumns(pool: Pool, connection: PooledConnection): Promise<KeyColumns> {
  const found = known.get(pool);
  if (found !== undefined) return found;
  const rows = await connection.run({ name: null, text: query }, []);
  const keys = new Set(rows.map(([table, column]) => `${table}.${column}`));
  known.set(pool, keys);
  return keys;
}

const query = `select c.conrelid, key.attnum from pg_catalog.pg_constraint c, unnest(c.conkey) as key (attnum)
  where c.contype in ('p', 'f')`;
