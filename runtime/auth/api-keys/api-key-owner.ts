import { isRoleOfMany } from "../../../vocabulary/role-names.ts";
import type { Principal } from "../../access/index.ts";
import type { Queryable, Statement } from "../../database/index.ts";
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
const look: Statement = {
  name: "kirak_auth_api_key_owner",
  text: `with found as (
  select key.id, key.token_hash, key.expires_at, users.id as user_id, users.role, users.email
  from auth_tokens as key join users on users.id = key.user_id
  where key.token_hash in ($1, $2) and key.token_type = 'api_key' and key.expires_at > now() and users.is_active
), unnoted as (
  select id from auth_tokens
  where id in (select id from found) and (last_used_at is null or last_used_at < now() - interval '1 minute')
  for no key update skip locked
), noted as (
  update auth_tokens set last_used_at = now() where id in (select id from unnoted)
)
select user_id, role, email, token_hash, floor(extract(epoch from expires_at - now()) * 1000) from found`,
  // Noting the use is no part of the request.
  reads: true,
};

/** The owner of the key that is stored under one of these hashes; null when there is none who may use it, or whose role is none of an account. */
export async function apiKeyOwner(
  connection: Queryable,
  [first, second = first]: KeyHashes,
): Promise<ApiKeyOwner | null> {
  const [row] = await connection.run(look, [first, second]);
  if (row === undefined) return null;
  const [userId, role, email, hash, lifetimeMs] = row;
  if (role == null || isRoleOfMany(role)) return null;
  return {
    principal: { user_id: userId ?? "", role, email: email ?? "" },
    hash: hash ?? "",
    lifetimeMs: Number(lifetimeMs),
  };
}
