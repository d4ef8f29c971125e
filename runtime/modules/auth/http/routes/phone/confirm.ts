import type { AccountBody } from "../../../../../../vocabulary/accounts/account-bodies.ts";
import { userSmsCounterKey } from "../../../../../../vocabulary/rate-limits.ts";
import { classifyDatabaseError, type Transaction } from "../../../../../core/database/index.ts";
import { ServiceError } from "../../../../../core/errors/index.ts";
import { inTransaction, lockCaller } from "../../../sessions/caller.ts";
import { sessionIdOf } from "../../../tokens/token-ids.ts";
import { updateAccount } from "../../../users/account-update.ts";
import { withdrawPending } from "../../../users/pending-changes.ts";
import { findUserByPhone, phoneTaken, storePhoneNumber, type UserRow } from "../../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";
import { recordOwnAct } from "../../record-event.ts";
import { requireSms } from "../../sms-errors.ts";

/**
 * `POST /auth/change-phone/confirm`: sets the number that got the code, in the session that asked for it.
 * Errors: `INVALID_OTP`; `PHONE_ALREADY_EXISTS` only after the right code, which does not use it up; 503
 * `HTTP_ERROR` without a provider of text messages; those of `lockCaller`.
 */
export async function changePhoneConfirm(
  { code }: AccountBody<"changePhoneConfirm">,
  call: AccountRequest,
): Promise<AuthAnswer> {
  const { services, caller } = call;
  const { database, limits, notices, phoneCodes, now } = services;
  const { user, number } = await inTransaction(database, async (transaction) => {
    const user = await lockCaller(transaction, services, caller);
    requireSms(services.sms);
    const number = await phoneCodes.numberOf(transaction, user.id, sessionIdOf(caller.jti), code, now());
    if (number === null) return new ServiceError("INVALID_OTP");
    await changeTo(number, user, transaction, call);
    return { user, number };
  });
  await limits.alwaysOn.reset(userSmsCounterKey(caller.sub));
  recordOwnAct(call, "phone.changed", ["phone_number"]);
  notices.tell("phone.changed", user, call);
  return { message: "phone number changed", data: { phone_number: number } };
}

async function changeTo(
  phone_number: string,
  user: UserRow,
  transaction: Transaction,
  call: AccountRequest,
): Promise<void> {
  // Two accounts that exchange their numbers would otherwise wait for each other at the unique index.
  const owner = await findUserByPhone(transaction, phone_number);
  if (owner !== null && owner.id !== user.id) throw phoneTaken();
  const changes = { phone_number };
  await updateAccount(transaction, call, { user, changes }, async () => {
    // The owner has confirmed this number, so a hook cannot replace it.
    await storePhoneNumber(transaction, user.id, phone_number).catch(orTaken);
    await withdrawPending(transaction, user.id, "phone");
    return changes;
  });
}

/** Another account can have taken the number at the same moment. */
function orTaken(error: unknown): never {
  throw classifyDatabaseError(error)?.kind === "unique" ? phoneTaken() : error;
}
