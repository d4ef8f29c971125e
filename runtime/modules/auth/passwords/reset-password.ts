import type { Database } from "../../../core/database/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import { shareOf } from "../../../models/access/index.ts";
import type { SignedLinks } from "../links/signed-link.ts";
import { requireActive } from "../sessions/caller.ts";
import { type AccountRevocation, clearCredentials, revokeAllTokens } from "../sessions/revocation.ts";
import { voidPendingChanges } from "../users/pending-changes.ts";
import { findUser, forgetPhoneNumber, lockUser, storePassword, type UserRow } from "../users/users-table.ts";
import type { Passwords } from "./password-queue.ts";
import type { PasswordRules } from "./password-rules.ts";

export interface PasswordReset extends AccountRevocation {
  readonly database: Database;
  /** Null without `SERVICE_AUTH_VERIFICATION_KEY`. */
  readonly links: SignedLinks | null;
  readonly passwords: Passwords;
  readonly passwordRules: PasswordRules;
}

/**
 * Sets the password of the token's user, returns the user, and deletes all tokens of that user, API keys too.
 * If the account's e-mail was never verified, it also removes everything that an attacker can have left in the
 * account. Errors: `INVALID_RESET_TOKEN`; `ACCOUNT_INACTIVE` and `WEAK_PASSWORD`, which do not use the token up.
 */
export async function resetPassword(
  services: PasswordReset,
  token: string,
  password: string,
): Promise<UserRow> {
  const { database, links, passwords, passwordRules, now } = services;
  const userId = links?.subjectOfReset(token, now()) ?? null;
  if (links === null || userId === null) throw invalidToken();
  const { resets } = links;
  const user = await findUser(database, userId);
  // A hash is expensive, so an invalid token is refused first.
  if (user === null || !(await resets.isGood(database, user.id, token))) throw invalidToken();
  requireActive(user);
  await passwordRules.require(password, "new_password", user);
  const hash = await passwords.hash(password, shareOf({ user_id: user.id }, ""));
  return database.transaction(async (transaction) => {
    const current = await lockUser(transaction, user.id);
    if (current === null || !(await resets.consume(transaction, user.id, token))) throw invalidToken();
    requireActive(current);
    // The address was not verified before: an attacker can have created the account and left a way in.
    if (!current.isVerified) {
      await clearCredentials(transaction, services, user.id);
      await forgetPhoneNumber(transaction, user.id);
    }
    await storePassword(transaction, user.id, hash, now());
    await revokeAllTokens(transaction, services.apiKeys, user.id);
    await voidPendingChanges(transaction, user.id);
    return current;
  });
}

function invalidToken(): ServiceError {
  return new ServiceError("INVALID_RESET_TOKEN");
}
