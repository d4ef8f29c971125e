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
  text: `select secret, enabled, jsonb_array_length(backup_codes), failed_attempts >= ${longestTries} and ${counting}
from auth_mfa where user_id = $1`,
};
const prepare = {
  name: "kirak_auth_mfa_prepare",
  text: `insert into auth_mfa (user_id, secret, backup_codes) values ($1, $2, $3)
on conflict (user_id) do update set
  secret = excluded.secret, backup_codes = excluded.backup_codes, last_used_step = 0, updated_at = now()
where not auth_mfa.enabled
returning id`,
};
const enable = {
  name: "kirak_auth_mfa_enable",
  text: "update auth_mfa set enabled = true, updated_at = now() where user_id = $1",
};
const countWrong = {
  name: "kirak_auth_mfa_wrong_code",
  text: `update auth_mfa set
  failed_attempts = case when ${counting} then failed_attempts + 1 else 1 end,
  failed_since = case when ${counting} then failed_since else to_timestamp($2 / 1000.0) end
where user_id = $1`,
};
const remove = { name: "kirak_auth_mfa_remove", text: "delete from auth_mfa where user_id = $1" };
const takeStep = {
  name: "kirak_auth_mfa_step",
  text: `update auth_mfa set last_used_step = $2, failed_attempts = 0, failed_since = null, updated_at = now()
where user_id = $1 and last_used_step < $2 returning id`,
};
const takeBackupCode = {
  name: "kirak_auth_mfa_backup_code",
  text: `update auth_mfa set backup_codes = backup_codes - $2::text[], failed_attempts = 0, failed_since = null, updated_at = now()
where user_id = $1 and backup_codes ?| $2::text[] returning jsonb_array_length(backup_codes)`,
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
