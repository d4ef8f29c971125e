import type { Connection } from "../../database/index.ts";
import { hashOf } from "./hash.ts";
import type { ResetLink } from "./signed-link.ts";

const insert = {
  name: "kirak_auth_reset_insert",
  text: `INSERT INTO auth_tokens (user_id, token_type, token_hash, expires_at)
VALUES ($1, 'password_reset', $2, to_timestamp($3))`,
};
const find = {
  name: "kirak_auth_reset_find",
  text: `SELECT id FROM auth_tokens
WHERE token_hash = $1 AND token_type = 'password_reset' AND user_id = $2 AND expires_at > now()`,
};
const consume = {
  name: "kirak_auth_reset_consume",
  text: `DELETE FROM auth_tokens
WHERE token_hash = $1 AND token_type = 'password_reset' AND user_id = $2 AND expires_at > now() RETURNING id`,
};

/** Stores the hash of a token, for one use. The user's row is locked. */
export async function storeResetToken(
  connection: Connection,
  userId: string,
  { token, exp }: ResetLink,
): Promise<void> {
  await connection.run(insert, [userId, hashOf(token), exp]);
}

/** Whether a token was issued to the user and is neither used nor expired. */
export async function isResetTokenGood(
  connection: Connection,
  userId: string,
  token: string,
): Promise<boolean> {
  return (await connection.run(find, [hashOf(token), userId])).length === 1;
}

/** Uses a token up; false when somebody was quicker. The user's row is locked. */
export async function consumeResetToken(
  connection: Connection,
  userId: string,
  token: string,
): Promise<boolean> {
  return (await connection.run(consume, [hashOf(token), userId])).length === 1;
}
