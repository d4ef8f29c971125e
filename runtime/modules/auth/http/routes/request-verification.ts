import type { Logger } from "pino";
import type { AccountBody } from "../../../../../vocabulary/accounts/account-bodies.ts";
import { findUserByEmail } from "../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../account-route.ts";
import type { AccountServices } from "../account-services.ts";

/**
 * `POST /auth/request-verification`: mails a new link to a user whose address is not verified yet. Responds
 * before the lookup, like a reset request. Failures are logged with this marker.
 */
export async function requestVerification(
  { email }: AccountBody<"requestVerification">,
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
