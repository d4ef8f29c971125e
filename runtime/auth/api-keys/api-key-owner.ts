import type { Principal } from "../../access/index.ts";
import type { Queryable } from "../../database/index.ts";
import type { KeyHashes } from "./api-key.ts";

/** Whom a key belongs to, as the rows are now. */
export interface ApiKeyOwner {
  readonly principal: Principal & { readonly user_id: string; readonly email: string };
  /** The hash that the key is stored under. */
  readonly hash: string;
  /** Milliseconds until the key expires. */
  readonly lifetimeMs: number;
}

/**
 * Expiry and deactivation are conditions of the look-up itself. The use is noted at most once a minute, and not at all
 * while somebody holds the row: no request waits for another's transaction. The user's row is read and never locked. Two
 * values and no array: PostgreSQL takes an array for a long one, and would plan the statement anew for each request.
 */
const look = {
  name: "kirak_auth_api_key_owner",
  text: `WITH found AS (
  SELECT key.id, key.token_hash, key.expires_at, users.id AS user_id, users.role, users.email
  FROM auth_tokens AS key JOIN users ON users.id = key.user_id
  WHERE key.token_hash IN ($1, $2) AND key.token_type = 'api_key' AND key.expires_at > now() AND users.is_active
), unnoted AS (
  SELECT id FROM auth_tokens
  WHERE id IN (SELECT id FROM found) AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')
  FOR NO KEY UPDATE SKIP LOCKED
), noted AS (
  UPDATE auth_tokens SET last_used_at = now() WHERE id IN (SELECT id FROM unnoted)
)
SELECT user_id, role, email, token_hash, floor(extract(epoch FROM expires_at - now()) * 1000) FROM found`,
};

/** The owner of the key that is stored under one of these hashes; null when there is none who may use it. */
export async function apiKeyOwner(
  connection: Queryable,
  [first, second = first]: KeyHashes,
): Promise<ApiKeyOwner | null> {
  const [row] = await connection.run(look, [first, second]);
  if (row === undefined) return null;
  const [userId, role, email, hash, lifetimeMs] = row;
  return {
    principal: { user_id: userId ?? "", role: role ?? "", email: email ?? "" },
    hash: hash ?? "",
    lifetimeMs: Number(lifetimeMs),
  };
}
