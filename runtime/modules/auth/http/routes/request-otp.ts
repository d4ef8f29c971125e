import type { AccountBody } from "../../../../../vocabulary/accounts/account-bodies.ts";
import { ServiceError } from "../../../../core/errors/index.ts";
import type { AccountRequest, AuthAnswer } from "../account-route.ts";

/**
 * `POST /auth/request-otp`: sends a code, whether or not the number has an account. Errors: 400
 * `VALIDATION_ERROR`; 503 `HTTP_ERROR` if the text message cannot be sent.
 */
export async function requestOtp(
  { phone_number: to }: AccountBody<"requestOtp">,
  { services, address, log }: AccountRequest<null>,
): Promise<AuthAnswer> {
  const { config, database, messageLimits, otp, sms, now } = services;
  if (sms === null) throw notSent("This service sends no text messages.");
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
    throw notSent("The code could not be sent. Try again soon.");
  }
  return answer;
}

function notSent(message: string): ServiceError {
  return new ServiceError("HTTP_ERROR", message, undefined, { status: 503 });
}
