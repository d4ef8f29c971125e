import type { Queryable } from "../../../core/database/index.ts";
import type { ApiKeys } from "../api-keys/api-keys.ts";
import { accountEntry, type Blacklist } from "../blacklist/blacklist.ts";
import type { AccessTokens } from "../tokens/access-token.ts";
import { deletion } from "../tokens/stored-tokens.ts";
import { forgetPassword, noteSessionsEnded } from "../users/users-table.ts";

const ofUser = (types: string) => `from auth_tokens where user_id = $1 and token_type in (${types})`;

/** Ends all sessions of a user and voids pending reset links; API keys stay. The user's row must be locked. */
export const revokeSessions = deletion("sessions", ofUser("'refresh', 'password_reset', 'web_auth'"));

/** Voids the tokens of social sign-ins that no page has redeemed yet. */
export const revokeWebAuthTokens = deletion("web_auth", ofUser("'web_auth'"));

/** Voids pending reset links. The user's row must be locked. */
export const revokeResetLinks = deletion("reset_links", ofUser("'password_reset'"));

/**
 * Deletes the refresh tokens of all sessions but one, also those from before version 0.2, and voids pending
 * reset links. API keys stay. The user's row must be locked.
 */
export const revokeOtherSessions = deletion(
  "other_sessions",
  `${ofUser("'refresh', 'password_reset', 'web_auth'")} and session_id is distinct from $2::uuid`,
);

const all = deletion("all", "from auth_tokens where user_id = $1");

/** Deletes all tokens of a user, and API keys also from the cache. The user's row must be locked. */
export async function revokeAllTokens(
  connection: Queryable,
  apiKeys: Pick<ApiKeys, "forget">,
  userId: string,
): Promise<void> {
  const deleted = await all(connection, userId);
  await apiKeys.forget(deleted.flatMap(({ hash, type }) => (type === "api_key" ? [hash] : [])));
}

export interface AccountRevocation {
  readonly apiKeys: Pick<ApiKeys, "forget">;
  readonly blacklist: Blacklist;
  readonly accessTokens: AccessTokens;
  /** Milliseconds. */
  readonly now: () => number;
}

const removals = ["auth_mfa", "auth_social", "auth_passkeys", "auth_pending_changes"].map((table) => ({
  name: `kirak_auth_user_clear_${table}`,
  text: `delete from ${table} where user_id = $1`,
}));

/**
 * Removes every credential of an account that was never verified: an attacker can have registered it before
 * the owner of the address. The user's row must be locked. Errors: `AUTH_UNAVAILABLE`.
 */
export async function clearCredentials(
  transaction: Queryable,
  { apiKeys, blacklist, accessTokens, now }: AccountRevocation,
  userId: string,
): Promise<void> {
  // Revokes every access token issued until now. Tokens issued later are valid.
  const exp = Math.ceil(now() / 1000) + accessTokens.lifetime;
  await blacklist.add([{ jti: accountEntry(userId), exp }], transaction);
  await noteSessionsEnded(transaction, userId, now());
  await revokeAllTokens(transaction, apiKeys, userId);
  await forgetPassword(transaction, userId);
  for (const statement of removals) await transaction.run(statement, [userId]);
}
