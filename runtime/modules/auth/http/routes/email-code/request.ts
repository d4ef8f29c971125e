import type { Logger } from "pino";
import type { AccountBody } from "../../../../../../vocabulary/accounts/account-bodies.ts";
import { ServiceError } from "../../../../../core/errors/index.ts";
import { findUserByEmail } from "../../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";
import type { AccountServices } from "../../account-services.ts";

/**
 * `POST /auth/request-email-code`: mails a code, whether or not the address has an account. Responds before the
 * lookup, so neither the response nor its time reveals it. Errors: 503 `HTTP_ERROR` without a mail provider.
 */
export async function requestEmailCode(
  { email }: AccountBody<"requestEmailCode">,
  { services, log }: AccountRequest<null>,
): Promise<AuthAnswer> {
  if (!services.linkMail.canSend)
    throw new ServiceError("HTTP_ERROR", "This service sends no mails.", undefined, { status: 503 });
  services.background.run("[EMAIL_CODE]", () => mailCode(email, services, log), log);
  return { message: "A code is on its way.", data: {} };
}

/** An inactive account gets no code. */
async function mailCode(email: string, services: AccountServices, log: Logger): Promise<void> {
  const { database, emailCodes, linkMail, messageLimits, now } = services;
  if (!linkMail.reaches(email)) return;
  const user = await findUserByEmail(database, email);
  if (user?.isActive === false) return;
  // Before making a code, because a new code replaces the last one.
  if (!(await messageLimits.mayMail(email, log))) return;
  const code = await emailCodes.make(database, email, now());
  const expires_in = `${emailCodes.minutes} minutes`;
  const to = { email, firstName: user?.firstName ?? null };
  await linkMail.notify("email-code", to, (recipient) => ({ ...recipient, code, expires_in }));
}
