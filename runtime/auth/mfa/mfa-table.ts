import type { Connection } from "../../database/index.ts";

/** The second factor of a user: a row of `auth_mfa`. */
export interface Factor {
  readonly userId: string;
  /** Encrypted. */
  readonly secret: string;
  /** False from the setup to the first right code. */
  readonly isEnabled: boolean;
  readonly backupCodesLeft: number;
}

const find = {
  name: "kirak_auth_mfa_find",
  text: "SELECT secret, enabled, jsonb_array_length(backup_codes) FROM auth_mfa WHERE user_id = $1",
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
const remove = { name: "kirak_auth_mfa_remove", text: "DELETE FROM auth_mfa WHERE user_id = $1" };
const takeStep = {
  name: "kirak_auth_mfa_step",
  text: `UPDATE auth_mfa SET last_used_step = $2, updated_at = now()
WHERE user_id = $1 AND last_used_step < $2 RETURNING id`,
};
const takeBackupCode = {
  name: "kirak_auth_mfa_backup_code",
  text: `UPDATE auth_mfa SET backup_codes = backup_codes - $2::text[], updated_at = now()
WHERE user_id = $1 AND backup_codes ?| $2::text[] RETURNING jsonb_array_length(backup_codes)`,
};

/** The user's second factor, enabled or not yet; null for who has none. */
export async function findFactor(connection: Connection, userId: string): Promise<Factor | null> {
  const [row] = await connection.run(find, [userId]);
  if (row === undefined) return null;
  const [secret, enabled, left] = row;
  return { userId, secret: secret ?? "", isEnabled: enabled === "t", backupCodesLeft: Number(left) };
}

/** Stores a factor that is not enabled, in place of another such; false where there is an enabled one. */
export async function prepareFactor(
  connection: Connection,
  userId: string,
  { secret, backupCodes }: { readonly secret: string; readonly backupCodes: readonly string[] },
): Promise<boolean> {
  return (await connection.run(prepare, [userId, secret, JSON.stringify(backupCodes)])).length === 1;
}

export async function enableFactor(connection: Connection, userId: string): Promise<void> {
  await connection.run(enable, [userId]);
}

export async function removeFactor(connection: Connection, userId: string): Promise<void> {
  await connection.run(remove, [userId]);
}

/** Uses up a step and all before it; false when it was used. */
export async function consumeStep(connection: Connection, userId: string, step: number): Promise<boolean> {
  return (await connection.run(takeStep, [userId, step])).length === 1;
}

/** Uses up the backup code with one of these hashes. Gives how many are left; null when there is no such code. */
export async function consumeBackupCode(
  connection: Connection,
  userId: string,
  hashes: readonly string[],
): Promise<number | null> {
  const [row] = await connection.run(takeBackupCode, [userId, hashes]);
  return row === undefined ? null : Number(row[0]);
}
