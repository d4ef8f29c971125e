import { type Queryable, removeExpiredRows } from "../database/index.ts";

/**
 * Tables whose rows are skipped from the moment in `expires_at` on, and are good for nothing then. One-time codes still
 * know of wrong tries in the hour before.
 */
const tables = [
  { table: "auth_token_blacklist", keptMinutes: 0 },
  { table: "auth_tokens", keptMinutes: 0 },
  { table: "auth_otp", keptMinutes: 60 },
  { table: "kirak_rate_limits", keptMinutes: 0 },
] as const;

const atOnce = 1000;

export interface Purged {
  readonly table: string;
  readonly removed: number;
}

/** Removes all expired rows, and tells of each table when it is done. */
export async function* purgeExpired(connection: Queryable): AsyncGenerator<Purged> {
  for (const { table, keptMinutes } of tables) {
    let removed = 0;
    for (let step = atOnce; step === atOnce; removed += step)
      step = await removeExpiredRows(connection, { table, keptMinutes, atOnce });
    yield { table, removed };
  }
}
