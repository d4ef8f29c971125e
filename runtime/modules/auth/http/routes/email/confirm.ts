import type { AccountBody } from "../../../../../../vocabulary/accounts/account-bodies.ts";
import { classifyDatabaseError, type Transaction } from "../../../../../core/database/index.ts";
import { ServiceError } from "../../../../../core/errors/index.ts";
import { revokePasswordLinks } from "../../../sessions/revocation.ts";
import { updateAccount } from "../../../users/account-update.ts";
import { findPendingEmail, withdrawPending } from "../../../users/pending-changes.ts";
import {
  emailTaken,
  findUserByEmail,
  lockUser,
  storeVerifiedEmail,
  type UserRow,
} from "../../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";
import { recordActOfLink } from "../../record-event.ts";

/**
 * `POST /auth/change-email/confirm`: sets the address that the link of the token was mailed to, and verifies
 * it. Sessions stay. Errors: `INVALID_LINK`; `EMAIL_ALREADY_EXISTS`, which does not use the link up.
 */
export async function changeEmailConfirm(
  { token }: AccountBody<"changeEmailConfirm">,
  call: AccountRequest<null>,
): Promise<AuthAnswer> {
  const { database, links, notices, now } = call.services;
  const userId = links?.subjectOfEmailChange(token, now()) ?? null;
  if (userId === null) throw invalidLink();
  const { user, email } = await database.transaction(async (transaction) => {
    const user = await lockUser(transaction, userId);
    const change = await findPendingEmail(transaction, userId, token);
    if (user === null || change === null || !user.isActive || user.email !== change.former)
      throw invalidLink();
    await changeTo(change.target, user, transaction, call);
    return { user, email: change.target };
  });
  recordActOfLink(call, "email.changed", user.id, ["email"]);
  notices.tell("email.changed", user, call);
  return { message: "e-mail changed", data: { email } };
}

async function changeTo(
  email: string,
  user: UserRow,
  transaction: Transaction,
  call: AccountRequest<null>,
): Promise<void> {
  // Two accounts that exchange their addresses would otherwise wait for each other at the unique index.
  if ((await findUserByEmail(transaction, email)) !== null) throw emailTaken();
  const changes = { email };
  await updateAccount(transaction, call, { user, changes }, async () => {
    // The owner has confirmed this address, so a hook cannot replace it.
    await storeVerifiedEmail(transaction, user.id, email).catch(orTaken);
    await withdrawPending(transaction, user.id, "email");
    // They were mailed to the old address.
    await revokePasswordLinks(transaction, user.id);
    return changes;
  });
}

/** Another account can have taken the address at the same moment. */
function orTaken(error: unknown): never {
  throw classifyDatabaseError(error)?.kind === "unique" ? emailTaken() : error;
}

function invalidLink(): ServiceError {
  return new ServiceError("INVALID_LINK");
}
