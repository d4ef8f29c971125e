import type { Logger } from "pino";
import { findUserByEmail } from "../../users/users-table.ts";
import { type BodyOf, body, emailAddress } from "../account-body.ts";
import type { AccountRequest, AuthAnswer } from "../account-route.ts";
import type { AccountServices } from "../account-services.ts";

const keys = { email: emailAddress };

export const requestVerificationBody = body(keys);

/**
 * `POST /auth/request-verification`: mails a new link to a user whose address is not verified yet. Responds
 * before the lookup, like a reset request. Failures are logged with this marker.
 */
export async function requestVerification(
  { email }: BodyOf<typeof keys>,
  { services, log }: AccountRequest<null>,
): Promise<AuthAnswer> {
  services.background.run("[VERIFICATION_REQUEST]", () => mailVerificationLink(email, services, log), log);
  return { message: "If this e-mail is waiting to be verified, a link is on its way.", data: {} };
}

/** Locks nothing: the link is valid only for this address of this user, even after later changes. */
async function mailVerificationLink(
  email: string,
  { database, links, linkMail, messageLimits, now }: AccountServices,
  log: Logger,
): Promise<void> {
  const user = await findUserByEmail(database, email);
  if (user === null || user.isVerified || !user.isActive || !linkMail.reaches(email)) return;
  if (links === null || linkMail.obstacle !== null)
    throw new Error(`no link can be mailed: ${linkMail.obstacle}`);
  if (!(await messageLimits.mayMail(email, log))) return;
  await linkMail.send("verify-email", user, links.verificationUrl(user.id, email, now()));
}
