import type { AccountBody } from "../../../../../vocabulary/accounts/account-bodies.ts";
import type { AuthSettings } from "../../../../core/config/index.ts";
import { ServiceError } from "../../../../core/errors/index.ts";
import { secondFactor } from "../../mfa/second-factor.ts";
import { requireOneFactor } from "../../passkeys/passkeys.ts";
import { withPassword } from "../../passwords/password-queue.ts";
import { orThrow, requireActive } from "../../sessions/caller.ts";
import { findUserByEmail, loginUser, storeRenewedHash, type UserRow } from "../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../account-route.ts";

/**
 * `POST /auth/login`. Only callers who know the password learn the state of the account. Errors:
 * `INVALID_CREDENTIALS`, then `ACCOUNT_INACTIVE`, `EMAIL_NOT_VERIFIED`, and those of `secondFactor`.
 */
export async function login(sent: AccountBody<"login">, call: AccountRequest<null>): Promise<AuthAnswer> {
  const { services } = call;
  requireOneFactor(sent);
  const answer = await withPassword(services, {
    password: sent.password,
    share: shareOfLogin(sent.email),
    find: () => findUserByEmail(services.database, sent.email),
    prepare: (known) => renewedHash(sent, known, call),
    work: async (transaction, user, renewed) => {
      requireActive(user);
      const unverified = verificationProblem(user, services.config.auth);
      if (unverified !== null) throw unverified;
      const second = await secondFactor(transaction, services, user, sent);
      if (second instanceof ServiceError) return second;
      if (renewed !== null) await storeRenewedHash(transaction, user.id, renewed);
      return services.sessions.signIn(transaction, call, {
        user,
        signedInWith: ["password", ...second],
        show: loginUser,
      });
    },
  });
  if (answer === null) throw new ServiceError("INVALID_CREDENTIALS");
  return orThrow(answer);
}

/** Returns a new hash if the stored hash has another cost, else null. Only a login has the password. */
async function renewedHash(
  { email, password }: AccountBody<"login">,
  { password: stored }: UserRow,
  { services: { passwords } }: AccountRequest<null>,
): Promise<string | null> {
  return stored !== null && passwords.isOutdated(stored)
    ? passwords.hash(password, shareOfLogin(email))
    : null;
}

/** By e-mail: the client is not authenticated yet, and many users can share one IP address. */
function shareOfLogin(email: string): string {
  return `email ${email}`;
}

/** Returns 403 `EMAIL_NOT_VERIFIED` for an address that must be verified first, else null. */
export function verificationProblem(
  { isVerified }: UserRow,
  { emailVerificationRequired }: Pick<AuthSettings, "emailVerificationRequired">,
): ServiceError | null {
  return emailVerificationRequired && !isVerified ? new ServiceError("EMAIL_NOT_VERIFIED") : null;
}
