import type { AccountBody } from "../../../../../../vocabulary/accounts/account-bodies.ts";
import type { Transaction } from "../../../../../core/database/index.ts";
import { invalid, ServiceError } from "../../../../../core/errors/index.ts";
import { hashOf } from "../../../crypto/hash.ts";
import { lockCaller } from "../../../sessions/caller.ts";
import { lockRecentCaller } from "../../../sessions/recent-sign-in.ts";
import { savePending, withdrawPending } from "../../../users/pending-changes.ts";
import { findUserByEmail, type UserRow } from "../../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";
import { recordOwnAct } from "../../record-event.ts";

/**
 * `POST /auth/change-email`: mails a link to the new address. Looks up whether the address is free only after
 * the response, so neither the response nor its time reveals it. Errors: `VALIDATION_ERROR` for the own
 * address and a placeholder; 503 `HTTP_ERROR` if links cannot be mailed; those of `lockRecentCaller`.
 */
export async function changeEmail(
  { new_email: target }: AccountBody<"changeEmail">,
  call: AccountRequest,
): Promise<AuthAnswer> {
  const { services, caller, log } = call;
  const { background, database, linkMail, messageLimits, now } = services;
  if (!linkMail.reaches(target)) throw refused("is not an address that can receive mails");
  const lock = async (transaction: Transaction) => {
    const user = await lockRecentCaller(transaction, services, caller);
    const links = requireLinks(call);
    if (user.email === target) throw refused("is the address of the account already");
    return { user, links };
  };
  const { user, links } = await database.transaction(lock);
  const { token, expiresAt } = links.emailChange(user.id, now());
  const data = { expires_at: new Date(expiresAt * 1000).toISOString() };
  const answer = { message: "A mail to the new address is on its way.", data };
  // Before the change is stored: a link that is not mailed must not void the last one.
  if (!(await messageLimits.mayMail(target, log))) return answer;
  await database.transaction(async (transaction) => {
    const { user } = await lock(transaction);
    const change = { userId: user.id, target, former: user.email, proofHash: hashOf(token), expiresAt };
    await savePending(transaction, { kind: "email", ...change, sessionId: null });
  });
  recordOwnAct(call, "email.change_requested");
  background.run("[CHANGE_EMAIL]", () => mailTarget(call, user, target, links.emailChangeUrl(token)), log);
  return answer;
}

/**
 * `DELETE /auth/change-email`: withdraws a change that waits, and voids its link. Errors: `NOT_FOUND`, and
 * those of `lockCaller`.
 */
export async function deleteChangeEmail(
  _: object,
  { services, caller }: AccountRequest,
): Promise<AuthAnswer> {
  const withdrawn = await services.database.transaction(async (transaction) => {
    const user = await lockCaller(transaction, services, caller);
    return withdrawPending(transaction, user.id, "email");
  });
  if (!withdrawn) throw new ServiceError("NOT_FOUND", "No change of the e-mail is pending.");
  return { message: "change withdrawn", data: {} };
}

function requireLinks({ services: { links, linkMail } }: AccountRequest) {
  if (links !== null && linkMail.obstacle === null) return links;
  const message = `No link can be mailed: ${linkMail.obstacle}.`;
  throw new ServiceError("HTTP_ERROR", message, undefined, { status: 503 });
}

/** Mails the link to a free address. The owner of a taken one gets a notice without a link. */
async function mailTarget(
  { services: { database, linkMail } }: AccountRequest,
  { firstName }: UserRow,
  target: string,
  link: string,
): Promise<void> {
  const owner = await findUserByEmail(database, target);
  if (owner !== null) await linkMail.notify("change-email-taken", owner, (recipient) => recipient);
  else await linkMail.send("change-email", { email: target, firstName }, link);
}

function refused(message: string): ServiceError {
  return invalid([{ field: "new_email", message }]);
}
