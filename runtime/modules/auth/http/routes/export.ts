import { lockRecentCaller } from "../../sessions/recent-sign-in.ts";
import { asPrincipal } from "../../users/users-table.ts";
import type { AccountRequest, Download } from "../account-route.ts";
import { recordOwnAct } from "../record-event.ts";

/** `GET /auth/export`: the data of the caller's account. Errors: those of `lockRecentCaller` and `AccountExports`. */
export async function exportAccount(call: AccountRequest): Promise<Download> {
  const { services, caller, requestId, address, trace, later } = call;
  const user = await services.database.transaction((transaction) =>
    lockRecentCaller(transaction, services, caller),
  );
  const open = () => {
    // What counts is the role of the account, not that of the token.
    const reader = { principal: asPrincipal(user), ensureNotRevoked: null, requestId, address, trace, later };
    const data = services.exports.begin(reader, user.id);
    recordOwnAct(call, "account.exported");
    return data;
  };
  return { message: "export", name: `account-${user.id}.json`, open };
}
