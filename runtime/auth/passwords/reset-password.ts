import { shareOf } from "../../access/index.ts";
import type { Database, Queryable } from "../../database/index.ts";
import { ServiceError } from "../../errors/index.ts";
import type { SignedLinks } from "../links/signed-link.ts";
import {
  type AccountRevocation,
  clearCredentials,
  requireActive,
  revokeAllTokens,
} from "../sessions/sessions.ts";
import { StoredTokens } from "../tokens/stored-tokens.ts";
import { findUser, forgetPhoneNumber, lockUser, storePassword } from "../users/users-table.ts";
import type { Passwords } from "./password-queue.ts";

/** What setting a new password by a link takes. */
export interface PasswordReset extends AccountRevocation {
  readonly database: Database;
  /** Null where no link can be read. */
  readonly links: SignedLinks | null;
  readonly passwords: Passwords;
}

const resetTokens = new StoredTokens("password_reset");

/** A link that sets a new password of the user, whose row is locked, once and within an hour. `now` is in milliseconds. */
export async function issueResetLink(
  transaction: Queryable,
  links: SignedLinks,
  userId: string,
  now: number,
): Promise<string> {
  const link = links.reset(userId, now);
  await resetTokens.store(transaction, userId, link.token, link.exp);
  return link.url;
}

/**
 * Sets the password of the token's user and deletes all tokens of that user, API keys too; of an account whose e-mail was
 * never verified also all else that a stranger may have left. Errors:
 * `INVALID_RESET_TOKEN`; `ACCOUNT_INACTIVE`, which leaves the token as it is.
 */
export async function resetPassword(services: PasswordReset, token: string, password: string): Promise<void> {
  const { database, links, passwords, now } = services;
  const claims = links?.readReset(token, now()) ?? null;
  const user = claims === null ? null : await findUser(database, claims.sub);
  // A hash is expensive: not for a token that is no good anyway.
  if (user === null || !(await resetTokens.isGood(database, user.id, token))) throw invalidToken();
  requireActive(user);
  const hash = await passwords.hash(password, shareOf({ user_id: user.id }, ""));
  await database.transaction(async (transaction) => {
    const current = await lockUser(transaction, user.id);
    if (current === null || !(await resetTokens.consume(transaction, user.id, token))) throw invalidToken();
    requireActive(current);
    // No one had proved the address before: a stranger who made the account may have left a way in.
    if (!current.isVerified) {
      await clearCredentials(transaction, services, user.id);
      await forgetPhoneNumber(transaction, user.id);
    }
    await storePassword(transaction, user.id, hash, now());
    await revokeAllTokens(transaction, services.apiKeys, user.id);
  });
}

function invalidToken(): ServiceError {
  return new ServiceError("INVALID_RESET_TOKEN");
}
