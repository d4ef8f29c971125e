import type { Logger } from "pino";
import type { AccountBody } from "../../../../../vocabulary/accounts/account-bodies.ts";
import type { Transaction } from "../../../../core/database/index.ts";
import { findUserByEmail, lockUserByEmail, type UserRow } from "../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../account-route.ts";
import type { AccountServices } from "../account-services.ts";

/**
 * `POST /auth/request-reset-password`: mails a link to the owner of an account. Responds before the lookup,
 * so the response does not reveal whether the account exists. Failures are logged with this marker.
 */
export async function requestResetPassword(
  { email }: AccountBody<"requestResetPassword">,
  { services, log }: AccountRequest<null>,
): Promise<AuthAnswer> {
  services.background.run("[RESET_REQUEST]", () => mailResetLink(email, services, log), log);
  return { message: "If there is an account with this e-mail, a link is on its way.", data: {} };
}

async function mailResetLink(email: string, services: AccountServices, log: Logger): Promise<void> {
  const { database, linkMail, messageLimits } = services;
  const user = await findUserByEmail(database, email);
  // Counts only mails that can be sent, and before making a link.
  if (user === null || !mayHaveLink(user, email, services)) return;
  if (!(await messageLimits.mayMail(email, log))) return;
  const issued = await database.transaction((transaction) => issue(transaction, email, services));
  if (issued !== null) await linkMail.send("reset-password", issued.user, issued.link);
}

/** Throws if the service cannot mail links. */
function mayHaveLink({ isActive }: UserRow, email: string, { links, linkMail }: AccountServices): boolean {
  if (!isActive || !linkMail.reaches(email)) return false;
  if (links === null || linkMail.obstacle !== null)
    throw new Error(`no link can be mailed: ${linkMail.obstacle}`);
  return true;
}

/** Returns null if the address must not get a link. Locks the user, so that the checks hold. */
async function issue(
  transaction: Transaction,
  email: string,
  services: AccountServices,
): Promise<{ readonly user: UserRow; readonly link: string } | null> {
  const user = await lockUserByEmail(transaction, email);
  const { links, now } = services;
  if (user === null || links === null || !mayHaveLink(user, email, services)) return null;
  return { user, link: await links.resetUrl(transaction, user.id, now()) };
}
