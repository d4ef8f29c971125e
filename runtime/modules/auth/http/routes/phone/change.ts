import type { AccountBody } from "../../../../../../vocabulary/accounts/account-bodies.ts";
import { userSmsCounterKey } from "../../../../../../vocabulary/rate-limits.ts";
import type { Transaction } from "../../../../../core/database/index.ts";
import { invalid } from "../../../../../core/errors/index.ts";
import { requirePassed } from "../../../../rate-limit/index.ts";
import { codeMinutes } from "../../../otp/one-time-codes.ts";
import { lockRecentCaller } from "../../../sessions/recent-sign-in.ts";
import { sessionIdOf } from "../../../tokens/token-ids.ts";
import { savePending } from "../../../users/pending-changes.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";
import { notSent, requireSms } from "../../sms-errors.ts";

/** The limit of codes for a user, and of guesses: a code has five tries. A right code resets it. */
const codes = { maxRequests: 4, windowSeconds: 60 * 60 };

/**
 * `POST /auth/change-phone`: sends a code to the new number. Neither the response nor its time reveals whether
 * another account has the number. Errors: `VALIDATION_ERROR` for the account's number; 503 `HTTP_ERROR` if the
 * text message cannot be sent; 429 after four codes in an hour; those of `lockRecentCaller`.
 */
export async function changePhone(
  { phone_number: to }: AccountBody<"changePhone">,
  call: AccountRequest,
): Promise<AuthAnswer> {
  const { services, caller, address, log } = call;
  const { config, database, limits, messageLimits, phoneCodes, now } = services;
  requirePassed(await limits.alwaysOn.take(userSmsCounterKey(caller.sub), codes));
  const lock = async (transaction: Transaction) => {
    const user = await lockRecentCaller(transaction, services, caller);
    const sms = requireSms(services.sms);
    if (user.phoneNumber === to)
      throw invalid([{ field: "phone_number", message: "is the number of the account already" }]);
    return { user, sms };
  };
  const { user, sms } = await database.transaction(lock);
  const { code, change } = phoneCodes.make(user, sessionIdOf(caller.jti), to, now());
  const data = { expires_at: new Date(change.expiresAt * 1000).toISOString() };
  const answer = { message: "code sent", data };
  if (!(await messageLimits.maySms(to, address, log))) return answer;
  const text = `${code} is your code to use this number for your account at ${config.name}. It is valid for ${codeMinutes} minutes.`;
  await sms.send({ to, text }).catch((error: unknown) => {
    log.error({ err: error }, "a code for a new phone number could not be sent");
    throw notSent();
  });
  // Only now: a code that was not sent must not void the last one. No lock waits for the provider.
  await database.transaction(async (transaction) => {
    await lock(transaction);
    await savePending(transaction, change);
  });
  return answer;
}
