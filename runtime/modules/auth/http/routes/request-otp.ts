import type { AccountBody } from "../../../../../vocabulary/accounts/account-bodies.ts";
import type { AccountRequest, AuthAnswer } from "../account-route.ts";
import { notSent, requireSms } from "../sms-errors.ts";

/**
 * `POST /auth/request-otp`: sends a code, whether or not the number has an account. Errors: 400
 * `VALIDATION_ERROR`; 503 `HTTP_ERROR` if the text message cannot be sent.
 */
export async function requestOtp(
  { phone_number: to }: AccountBody<"requestOtp">,
  { services, address, log }: AccountRequest<null>,
): Promise<AuthAnswer> {
  const { config, database, messageLimits, otp, now } = services;
  const sms = requireSms(services.sms);
  const answer = { message: "code sent", data: {} };
  // Before making a code, because a new code replaces the last one.
  if (!(await messageLimits.maySms(to, address, log))) return answer;
  const code = await otp.make(database, to, now());
  try {
    await sms.send({
      to,
      text: `${code} is your code for ${config.name}. It is valid for ${otp.minutes} minutes.`,
    });
  } catch (error) {
    log.error({ err: error }, "a one-time code could not be sent");
    throw notSent();
  }
  return answer;
}
