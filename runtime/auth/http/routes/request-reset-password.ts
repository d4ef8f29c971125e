import type { Transaction } from "../../../database/index.ts";
import { issueResetLink } from "../../passwords/reset-password.ts";
import { lockUserByEmail, type UserRow } from "../../users/users-table.ts";
import type { AuthAnswer } from "../account-answer.ts";
import { type BodyOf, body, emailAddress } from "../account-body.ts";
import type { AuthCall } from "../account-route.ts";
import type { AccountServices } from "../account-services.ts";

const keys = { email: emailAddress };

export const requestResetPasswordBody = body(keys);

/**
 * `POST /auth/request-reset-password`: mails a link to the owner of an account. The answer comes before anybody looks
 * whether there is one, so that neither its words nor its time tell. What fails is in the log, with this marker.
 */
export async function requestResetPassword(
  { email }: BodyOf<typeof keys>,
  { services, log }: AuthCall<null>,
): Promise<AuthAnswer> {
  services.background.run("[RESET_REQUEST]", () => mailResetLink(email, services), log);
  return { message: "If there is an account with this e-mail, a link is on its way.", data: {} };
}

async function mailResetLink(email: string, services: AccountServices): Promise<void> {
  const issued = await services.database.transaction((transaction) => issue(transaction, email, services));
  if (issued !== null) await services.linkMail.send("reset-password", issued.user, issued.link);
}

/** Null where nobody may have a link. Whose address it is, and whether the account is active, holds until it is stored. */
async function issue(
  transaction: Transaction,
  email: string,
  services: AccountServices,
): Promise<{ readonly user: UserRow; readonly link: string } | null> {
  const user = await lockUserByEmail(transaction, email);
  const { links, linkMail, now } = services;
  if (user === null || !user.isActive || !linkMail.reaches(email)) return null;
  if (links === null || linkMail.obstacle !== null)
    throw new Error(`no link can be mailed: ${linkMail.obstacle}`);
  return { user, link: await issueResetLink(transaction, links, user.id, now()) };
}
