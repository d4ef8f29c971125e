import { deleteAccount } from "../../administration/delete-account.ts";
import { lockRecentCaller } from "../../sessions/recent-sign-in.ts";
import { asPrincipal } from "../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../account-route.ts";
import { recordOwnAct } from "../record-event.ts";

/**
 * `DELETE /auth/me`: deletes the caller's account. Errors: those of `lockRecentCaller` and `deleteAccount`.
 */
export async function deleteMe(_: object, call: AccountRequest): Promise<AuthAnswer> {
  const { services, caller } = call;
  const user = await services.database.transaction(async (transaction) => {
    const user = await lockRecentCaller(transaction, services, caller);
    await deleteAccount(transaction, services, call, user, asPrincipal(user));
    return user;
  });
  recordOwnAct(call, "account.deleted");
  services.notices.tell("account.deleted", user, call);
  return { message: "account deleted", data: {}, tokens: null };
}
