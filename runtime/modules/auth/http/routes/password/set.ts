import type { AccountBody } from "../../../../../../vocabulary/accounts/account-bodies.ts";
import type { Transaction } from "../../../../../core/database/index.ts";
import { ServiceError } from "../../../../../core/errors/index.ts";
import { shareOf } from "../../../../../models/access/index.ts";
import { requireConfirmed } from "../../../passwords/password-rules.ts";
import { lockRecentCaller } from "../../../sessions/recent-sign-in.ts";
import { storeFirstPassword, type UserRow } from "../../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";
import { recordOwnAct } from "../../record-event.ts";

/**
 * `POST /auth/set-password`: sets the password of an account without one. Ends no session. Errors:
 * `VALIDATION_ERROR` for an account with a password or without an e-mail, `WEAK_PASSWORD`, and those of
 * `lockRecentCaller`.
 */
export async function setPassword(
  sent: AccountBody<"setPassword">,
  call: AccountRequest,
): Promise<AuthAnswer> {
  const { database, notices, passwordRules, passwords } = call.services;
  requireConfirmed(sent);
  await passwordRules.require(sent.new_password, "new_password", null);
  // A hash is expensive, and no lock may wait for it. So a refused caller is refused first.
  const owner = await database.transaction((transaction) => lockWithoutPassword(transaction, call));
  await passwordRules.require(sent.new_password, "new_password", owner);
  const share = shareOf({ user_id: call.caller.sub }, call.address);
  const hash = await passwords.hash(sent.new_password, share);
  const user = await database.transaction(async (transaction) => {
    const user = await lockWithoutPassword(transaction, call);
    await storeFirstPassword(transaction, user.id, hash);
    return user;
  });
  recordOwnAct(call, "password.set");
  notices.tell("password.set", user, call);
  return { message: "password set", data: {} };
}

async function lockWithoutPassword(
  transaction: Transaction,
  { services, caller }: AccountRequest,
): Promise<UserRow> {
  const user = await lockRecentCaller(transaction, services, caller);
  if (user.password !== null) throw refused("The account has a password. Change it with change-password.");
  if (user.email === null || !services.linkMail.reaches(user.email))
    throw refused("The account has no e-mail, which a password needs. Add one with change-email.");
  return user;
}

function refused(message: string): ServiceError {
  return new ServiceError("VALIDATION_ERROR", message);
}
