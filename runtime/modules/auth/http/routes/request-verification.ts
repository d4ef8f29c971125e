import type { Logger } from "pino";
import { findUserByEmail } from "../../users/users-table.ts";
import { type BodyOf, body, emailAddress } from "../account-body.ts";
import type { AuthAnswer, AuthCall } from "../account-route.ts";
import type { AccountServices } from "../account-services.ts";

const keys = { email: emailAddress };

export const requestVerificationBody = body(keys);

/**
 * `POST /auth/request-verification`: mails a fresh link to whoever has not verified the address yet. The answer comes before
 * anybody looks, as that of a reset request does. What fails is in the log, with this marker.
 */
export async function requestVerification(
  { email }: BodyOf<typeof keys>,
  { services, log }: AuthCall<null>,
): Promise<AuthAnswer> {
  services.background.run("[VERIFICATION_REQUEST]", () => mailVerificationLink(email, services, log), log);
  return { message: "If this e-mail is waiting to be verified, a link is on its way.", data: {} };
}

/** The link counts for this address of this user alone, whatever becomes of the account meanwhile: nothing is locked. */
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
