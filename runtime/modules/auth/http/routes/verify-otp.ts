import type { AccountBody } from "../../../../../vocabulary/accounts/account-bodies.ts";
import type { Transaction } from "../../../../core/database/index.ts";
import { ServiceError } from "../../../../core/errors/index.ts";
import { secondFactor } from "../../mfa/second-factor.ts";
import { requireOneFactor } from "../../passkeys/passkeys.ts";
import { registerByCode } from "../../registration/registrations.ts";
import { inTransaction, requireActive } from "../../sessions/caller.ts";
import { clearCredentials } from "../../sessions/revocation.ts";
import { lockUserByPhone, markPhoneVerified, otpUser } from "../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../account-route.ts";

/**
 * `POST /auth/verify-otp`: signs in the caller who has the code, and creates the account if it does not
 * exist. Errors: `INVALID_OTP`, then `PERMISSION_DENIED` for a new account, `ACCOUNT_INACTIVE`, and those of
 * `secondFactor`. Only a success uses the code up.
 */
export async function verifyOtp(
  sent: AccountBody<"verifyOtp">,
  call: AccountRequest<null>,
): Promise<AuthAnswer> {
  requireOneFactor(sent);
  return inTransaction(call.services.database, (transaction) => redeem(transaction, call, sent));
}

/** Returns errors after which the transaction must commit. Throws errors that must roll it back. */
async function redeem(
  transaction: Transaction,
  call: AccountRequest<null>,
  { phone_number: phone, otp: code, ...factor }: AccountBody<"verifyOtp">,
): Promise<AuthAnswer | ServiceError> {
  const { otp, now } = call.services;
  if (!(await otp.isRight(transaction, phone, code, now()))) return new ServiceError("INVALID_OTP");
  // After `isRight`, whose lock makes parallel first logins wait: only one of them creates the account.
  const user = await lockUserByPhone(transaction, phone);
  if (user === null) {
    await otp.remove(transaction, phone);
    const contact = { phone_number: phone, email: null, show: otpUser };
    return registerByCode(transaction, call.services, call, contact);
  }
  requireActive(user);
  if (!user.isVerified) {
    await clearCredentials(transaction, call.services, user.id);
    await markPhoneVerified(transaction, user.id);
  }
  const second = await secondFactor(transaction, call.services, user, factor);
  if (second instanceof ServiceError) {
    if (second.code === "INVALID_MFA_CODE") await otp.countWrongTry(transaction, phone, now());
    return second;
  }
  await otp.remove(transaction, phone);
  const signIn = { user, signedInWith: ["otp", ...second], show: otpUser } as const;
  return call.services.sessions.signIn(transaction, call, signIn);
}
