import { ServiceError } from "../../../../../core/errors/index.ts";
import { lockRecentCaller } from "../../../sessions/recent-sign-in.ts";
import { updateAccount } from "../../../users/account-update.ts";
import { requireWay, signInWays } from "../../../users/sign-in-ways.ts";
import { forgetPhoneNumber } from "../../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";
import { recordOwnAct } from "../../record-event.ts";

/**
 * `DELETE /auth/phone`: removes the phone number. Errors: `NOT_FOUND` for an account without one,
 * `LAST_SIGN_IN_METHOD`, and those of `lockRecentCaller`.
 */
export async function deletePhone(_: object, call: AccountRequest): Promise<AuthAnswer> {
  const { services, caller } = call;
  const user = await services.database.transaction(async (transaction) => {
    const user = await lockRecentCaller(transaction, services, caller);
    if (user.phoneNumber === null) throw new ServiceError("NOT_FOUND", "The account has no phone number.");
    requireWay(await signInWays(transaction, services.ways, { ...user, phoneNumber: null }));
    const changes = { phone_number: null };
    await updateAccount(transaction, call, { user, changes }, async () => {
      await forgetPhoneNumber(transaction, user.id);
      return changes;
    });
    return user;
  });
  recordOwnAct(call, "phone.removed", ["phone_number"]);
  services.notices.tell("phone.removed", user, call);
  return { message: "phone number removed", data: {} };
}
