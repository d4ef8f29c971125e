import type { Connection, Statement } from "../database/index.ts";

/** Tables whose rows are skipped from the moment in `expires_at` on, and are good for nothing then. */
const tables = ["auth_token_blacklist", "auth_tokens", "auth_otp"] as const;

/** A one-time code still knows of wrong tries in the hour before. */
const keptMinutes = { auth_token_blacklist: 0, auth_tokens: 0, auth_otp: 60 } as const;

/** A statement is over soon, whatever has piled up: it holds no lock for long, and what it did stays done. */
const batchSize = 1000;

export interface Purged {
  readonly table: string;
  readonly removed: number;
}

/**
 * Removes the expired rows, and tells of each table when it is done. Any number of processes may do so at once: each takes
 * what no other has locked.
 */
export async function* purgeExpired(connection: Connection): AsyncGenerator<Purged> {
  for (const table of tables) {
    const statement = removal(table);
    let removed = 0;
    for (let batch = batchSize; batch === batchSize; removed += batch) {
      const [row] = await connection.run(statement, []);
      batch = Number(row?.[0]);
    }
    yield { table, removed };
  }
}

/** Materialized: inside a join the selection could run again, and take more than a batch. */
function removal(table: (typeof tables)[number]): Statement {
  return {
    name: `kirak_auth_purge_${table}`,
    text: `WITH expired AS MATERIALIZED (
  SELECT id FROM ${table} WHERE expires_at < now() - interval '${keptMinutes[table]} minutes' ORDER BY expires_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
), removed AS (DELETE FROM ${table} WHERE id IN (SELECT id FROM expired) RETURNING id)
SELECT count(*) FROM removed`,
  };
}
