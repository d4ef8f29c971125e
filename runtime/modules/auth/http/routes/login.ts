import type { AccountBody } from "../../../../../vocabulary/accounts/account-bodies.ts";
import { ServiceError } from "../../../../core/errors/index.ts";
import { secondFactor } from "../../mfa/second-factor.ts";
import { withPassword } from "../../passwords/password-queue.ts";
import { orThrow, requireActive } from "../../sessions/caller.ts";
import { findUserByEmail, loginUser, storeRenewedHash, type UserRow } from "../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../account-route.ts";

/**
 * `POST /auth/login`. Only callers who know the password learn the state of the account. Errors:
 * `INVALID_CREDENTIALS`, then `ACCOUNT_INACTIVE`, `EMAIL_NOT_VERIFIED`, `MFA_REQUIRED`, `INVALID_MFA_CODE`.
 */
export async function login(sent: AccountBody<"login">, call: AccountRequest<null>): Promise<AuthAnswer> {
  const { services } = call;
  const answer = await withPassword(services, {
    password: sent.password,
    share: shareOfLogin(sent.email),
    find: () => findUserByEmail(services.database, sent.email),
    prepare: (known) => renewedHash(sent, known, call),
    work: async (transaction, user, renewed) => {
      requireActive(user);
      requireVerified(user, call);
      const second = await secondFactor(transaction, services, user.id, sent.mfa_code);
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

function requireVerified(user: UserRow, { services }: AccountRequest<null>): void {
  if (services.config.auth.emailVerificationRequired && !user.isVerified)
    throw new ServiceError("EMAIL_NOT_VERIFIED");
}
