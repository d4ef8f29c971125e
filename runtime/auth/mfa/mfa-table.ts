import type { Queryable } from "../../database/index.ts";

/** The second factor of a user: a row of `auth_mfa`. */
export interface Factor {
  readonly userId: string;
  /** Encrypted. */
  readonly secret: string;
  /** False from the setup to the first right code. */
  readonly isEnabled: boolean;
  readonly backupCodesLeft: number;
  /** After too many wrong codes: then none is looked at. */
  readonly isPaused: boolean;
}

const longestTries = 10;
/** The time in which wrong codes are counted, and after which there are tries again. */
export const pauseMinutes = 15;

/** Whether wrong codes were counted since then; `$2` is the present moment in milliseconds. */
const counting = `failed_since > to_timestamp($2 / 1000.0) - interval '${pauseMinutes} minutes'`;

const find = {
  name: "kirak_auth_mfa_find",
  text: `SELECT secret, enabled, jsonb_array_length(backup_codes), failed_attempts >= ${longestTries} AND ${counting}
FROM auth_mfa WHERE user_id = $1`,
};
const prepare = {
  name: "kirak_auth_mfa_prepare",
  text: `INSERT INTO auth_mfa (user_id, secret, backup_codes) VALUES ($1, $2, $3)
ON CONFLICT (user_id) DO UPDATE SET
  secret = excluded.secret, backup_codes = excluded.backup_codes, last_used_step = 0, updated_at = now()
WHERE NOT auth_mfa.enabled
RETURNING id`,
};
const enable = {
  name: "kirak_auth_mfa_enable",
  text: "UPDATE auth_mfa SET enabled = true, updated_at = now() WHERE user_id = $1",
};
const countWrong = {
  name: "kirak_auth_mfa_wrong_code",
  text: `UPDATE auth_mfa SET
  failed_attempts = CASE WHEN ${counting} THEN failed_attempts + 1 ELSE 1 END,
  failed_since = CASE WHEN ${counting} THEN failed_since ELSE to_timestamp($2 / 1000.0) END
WHERE user_id = $1`,
};
const remove = { name: "kirak_auth_mfa_remove", text: "DELETE FROM auth_mfa WHERE user_id = $1" };
const takeStep = {
  name: "kirak_auth_mfa_step",
  text: `UPDATE auth_mfa SET last_used_step = $2, failed_attempts = 0, failed_since = NULL, updated_at = now()
WHERE user_id = $1 AND last_used_step < $2 RETURNING id`,
};
const takeBackupCode = {
  name: "kirak_auth_mfa_backup_code",
  text: `UPDATE auth_mfa SET backup_codes = backup_codes - $2::text[], failed_attempts = 0, failed_since = NULL, updated_at = now()
WHERE user_id = $1 AND backup_codes ?| $2::text[] RETURNING jsonb_array_length(backup_codes)`,
};

/** The user's second factor, enabled or not yet; null for who has none. `now` is in milliseconds. */
export async function findFactor(connection: Queryable, userId: string, now: number): Promise<Factor | null> {
  const [row] = await connection.run(find, [userId, now]);
  if (row === undefined) return null;
  const [secret, enabled, left, paused] = row;
  return {
    userId,
    secret: secret ?? "",
    isEnabled: enabled === "t",
    backupCodesLeft: Number(left),
    isPaused: paused === "t",
  };
}

/** Stores a factor that is not enabled, in place of another such; false where there is an enabled one. */
export async function prepareFactor(
  connection: Queryable,
  userId: string,
  { secret, backupCodes }: { readonly secret: string; readonly backupCodes: readonly string[] },
): Promise<boolean> {
  return (await connection.run(prepare, [userId, secret, JSON.stringify(backupCodes)])).length === 1;
}

export async function enableFactor(connection: Queryable, userId: string): Promise<void> {
  await connection.run(enable, [userId]);
}

/** Counts a wrong code; with a right one the count begins anew. `now` is in milliseconds. */
export async function countWrongCode(connection: Queryable, userId: string, now: number): Promise<void> {
  await connection.run(countWrong, [userId, now]);
}

export async function removeFactor(connection: Queryable, userId: string): Promise<void> {
  await connection.run(remove, [userId]);
}

/** Uses up a step and all before it; false when it was used. */
export async function consumeStep(connection: Queryable, userId: string, step: number): Promise<boolean> {
  return (await connection.run(takeStep, [userId, step])).length === 1;
}

/** Uses up the backup code with one of these hashes. Gives how many are left; null when there is no such code. */
export async function consumeBackupCode(
  connection: Queryable,
  userId: string,
  hashes: readonly string[],
): Promise<number | null> {
  const [row] = await connection.run(takeBackupCode, [userId, hashes]);
  return row === undefined ? null : Number(row[0]);
}
