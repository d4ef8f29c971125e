import type { Queryable } from "./queryable.ts";

/** Rows that have expired, in a table with an indexed column `expires_at`. */
export interface ExpiredRows {
  readonly table: string;
  /** How long they are kept beyond that; default 0. */
  readonly keptMinutes?: number;
  /** The most that one call removes: it is over soon, holds no lock for long, and what it did stays done. */
  readonly atOnce: number;
}

/**
 * Removes expired rows, the oldest first, and gives how many. Any number of processes may do so at once: each takes what no
 * other has locked.
 */
export async function removeExpiredRows(connection: Queryable, expired: ExpiredRows): Promise<number> {
  const { table, keptMinutes = 0, atOnce } = expired;
  // Materialized: inside a join the selection could run again, and take more rows.
  const text = `with expired as materialized (
  select id from ${table} where expires_at < now() - make_interval(mins => $1) order by expires_at limit $2 for update skip locked
), removed as (delete from ${table} where id in (select id from expired) returning id)
select count(*) from removed`;
  const [row] = await connection.run({ name: `kirak_expired_${table}`, text }, [keptMinutes, atOnce]);
  return Number(row?.[0]);
}
