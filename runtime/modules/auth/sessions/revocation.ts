import type { Queryable, Statement } from "../../../core/database/index.ts";
import type { ApiKeys } from "../api-keys/api-keys.ts";
import { accountEntry, type Blacklist } from "../blacklist/blacklist.ts";
import type { AccessTokens } from "../tokens/access-token.ts";
import { deletion, endedSessions } from "../tokens/stored-tokens.ts";
import { voidPendingChanges } from "../users/pending-changes.ts";
import { forgetPassword, forgetPhoneNumber, markVerified, noteSessionsEnded } from "../users/users-table.ts";

const ofUser = (types: string) => `from auth_tokens where user_id = $1 and token_type in (${types})`;

/** Voids pending invitations. The user's row must be locked. */
export const revokeInvitations = deletion("invitations", ofUser("'invitation'"));

/** Deletes the API keys of a user; the caller removes them from the cache. The user's row must be locked. */
const deleteApiKeys = deletion("api_keys", ofUser("'api_key'"));

/** Ends all sessions of a user and voids pending reset links; API keys stay. The user's row must be locked. */
export const revokeSessions = deletion("sessions", ofUser("'refresh', 'password_reset', 'web_auth'"));

/** Voids the tokens of social sign-ins that no page has redeemed yet. */
export const revokeWebAuthTokens = deletion("web_auth", ofUser("'web_auth'"));

/** Voids links that set a password: they were mailed to the address of the account. Its row must be locked. */
export const revokePasswordLinks = deletion("password_links", ofUser("'password_reset', 'invitation'"));

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

/** The services that revoke the access tokens of an account. */
export interface AccessRevocation {
  readonly blacklist: Blacklist;
  readonly accessTokens: AccessTokens;
  /** Milliseconds. */
  readonly now: () => number;
}

/**
 * Revokes all access tokens of a user that were issued until now. Tokens issued later are valid. The user's row
 * must be locked. Errors: `AUTH_UNAVAILABLE`.
 */
export async function revokeAccessTokens(
  transaction: Queryable,
  { blacklist, accessTokens, now }: AccessRevocation,
  userId: string,
): Promise<void> {
  const exp = Math.ceil(now() / 1000) + accessTokens.lifetime;
  await blacklist.add([{ jti: accountEntry(userId), exp }], transaction);
  await noteSessionsEnded(transaction, userId, now());
}

/**
 * Ends all sessions of a user at once, and voids links and codes that wait for a proof. API keys stay. Returns
 * the number of sessions. The user's row must be locked. Errors: `AUTH_UNAVAILABLE`.
 */
export async function signOutEverywhere(
  transaction: Queryable,
  services: AccessRevocation,
  userId: string,
): Promise<number> {
  await revokeAccessTokens(transaction, services, userId);
  const deleted = await revokeSessions(transaction, userId);
  await voidPendingChanges(transaction, userId);
  return endedSessions(deleted);
}

/** Deletes all API keys of a user, also from the cache. Returns their number. The user's row must be locked. */
export async function revokeApiKeys(
  transaction: Queryable,
  apiKeys: Pick<ApiKeys, "forget">,
  userId: string,
): Promise<number> {
  const deleted = await deleteApiKeys(transaction, userId);
  await apiKeys.forget(deleted.map(({ hash }) => hash));
  return deleted.length;
}

export interface AccountRevocation extends AccessRevocation {
  readonly apiKeys: Pick<ApiKeys, "forget">;
}

/** Removes the codes that are on their way to a user. The user's row must be locked. */
export const removeCodes: Statement = {
  name: "kirak_auth_user_clear_auth_otp",
  // A locked code is being tried: that request waits for the user's row, and sees the account as it is then.
  text: `delete from auth_otp where id in (select code.id from auth_otp as code
  join users on code.email = users.email or code.phone_number = users.phone_number
  where users.id = $1 for update of code skip locked)`,
};

const removals = [
  ...["auth_mfa", "auth_social", "auth_passkeys", "auth_pending_changes"].map((table) => ({
    name: `kirak_auth_user_clear_${table}`,
    text: `delete from ${table} where user_id = $1`,
  })),
  removeCodes,
];

/**
 * Removes every credential of an account that was never verified: an attacker can have registered it before
 * the owner of the address. The user's row must be locked. Errors: `AUTH_UNAVAILABLE`.
 */
export async function clearCredentials(
  transaction: Queryable,
  services: AccountRevocation,
  userId: string,
): Promise<void> {
  await revokeAccessTokens(transaction, services, userId);
  await revokeAllTokens(transaction, services.apiKeys, userId);
  await forgetPassword(transaction, userId);
  for (const statement of removals) await transaction.run(statement, [userId]);
}

/**
 * Gives an account that was never verified to a user who proved to own its address: removes the credentials and
 * the phone number, and marks the address as verified. The user's row must be locked. Errors: as above.
 */
export async function takeOver(
  transaction: Queryable,
  services: AccountRevocation,
  userId: string,
): Promise<void> {
  await clearCredentials(transaction, services, userId);
  await forgetPhoneNumber(transaction, userId);
  await markVerified(transaction, userId);
}
