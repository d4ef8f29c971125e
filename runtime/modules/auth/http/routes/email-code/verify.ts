import type { AccountBody } from "../../../../../../vocabulary/accounts/account-bodies.ts";
import type { Transaction } from "../../../../../core/database/index.ts";
import { ServiceError } from "../../../../../core/errors/index.ts";
import { secondFactor } from "../../../mfa/second-factor.ts";
import { requireOneFactor } from "../../../passkeys/passkeys.ts";
import { againIfTaken, registerByCode } from "../../../registration/registrations.ts";
import { inTransaction } from "../../../sessions/caller.ts";
import { takeOver } from "../../../sessions/revocation.ts";
import { lockUserByEmail, loginUser } from "../../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";

/**
 * `POST /auth/verify-email-code`: signs in the caller who has the code, and creates the account if it does not
 * exist. Errors: `INVALID_OTP`, also for an inactive account; then those of `secondFactor`. Only a success uses
 * the code up.
 */
export async function verifyEmailCode(
  sent: AccountBody<"verifyEmailCode">,
  call: AccountRequest<null>,
): Promise<AuthAnswer> {
  const { database } = call.services;
  requireOneFactor(sent);
  return againIfTaken(() => inTransaction(database, (transaction) => redeem(transaction, call, sent)));
}

/** Returns errors after which the transaction must commit. Throws errors that must roll it back. */
async function redeem(
  transaction: Transaction,
  call: AccountRequest<null>,
  { email, code, ...factor }: AccountBody<"verifyEmailCode">,
): Promise<AuthAnswer | ServiceError> {
  const { emailCodes, now } = call.services;
  if (!(await emailCodes.isRight(transaction, email, code, now()))) return new ServiceError("INVALID_OTP");
  // After `isRight`, whose lock makes parallel first sign-ins wait: only one of them creates the account.
  const user = await lockUserByEmail(transaction, email);
  if (user === null) {
    await emailCodes.remove(transaction, email);
    const contact = { email, phone_number: null, show: loginUser };
    return registerByCode(transaction, call.services, call, contact);
  }
  if (!user.isActive) return new ServiceError("INVALID_OTP");
  if (!user.isVerified) await takeOver(transaction, call.services, user.id);
  const second = await secondFactor(transaction, call.services, user, factor);
  if (second instanceof ServiceError) {
    if (second.code === "INVALID_MFA_CODE") await emailCodes.countWrongTry(transaction, email, now());
    return second;
  }
  await emailCodes.remove(transaction, email);
  const signIn = { user, signedInWith: ["email_code", ...second], show: loginUser } as const;
  return call.services.sessions.signIn(transaction, call, signIn);
}
