import type { Queryable } from "../database/index.ts";
import { jobsTable } from "./queue-tables.ts";

const count = `select count(*)::text from ${jobsTable} where locked_by is not null or (run_at <= now() and attempts < max_attempts)`;

/** How many jobs run, or could: their time has come, and they have attempts left. */
export async function countDue(connection: Queryable): Promise<number> {
  const [row] = await connection.run({ name: null, text: count }, []);
  return Number(row?.[0] ?? 0);
}

/** Has the time of all jobs come that wait for a later one. */
export async function makeDue(connection: Queryable): Promise<void> {
  const text = `update ${jobsTable} set run_at = now() where run_at > now() and locked_by is null`;
  await connection.run({ name: null, text }, []);
}
