import { ServiceError } from "../../../../../core/errors/index.ts";
import { lockRecentCaller } from "../../../sessions/recent-sign-in.ts";
import { revokePasswordLinks, revokeWebAuthTokens } from "../../../sessions/revocation.ts";
import { endSessions } from "../../../sessions/session-rows.ts";
import { sessionIdOf } from "../../../tokens/token-ids.ts";
import { voidPendingChanges } from "../../../users/pending-changes.ts";
import { requireWay, signInWays } from "../../../users/sign-in-ways.ts";
import { forgetPassword } from "../../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";
import { recordOwnAct } from "../../record-event.ts";

/**
 * `DELETE /auth/password`: removes the password, ends all other sessions, and voids links that set one, and
 * pending changes. Errors: `NOT_FOUND` for an account without a password, `LAST_SIGN_IN_METHOD`, `AUTH_UNAVAILABLE`,
 * and those of `lockRecentCaller`.
 */
export async function deletePassword(_: object, call: AccountRequest): Promise<AuthAnswer> {
  const { services, caller } = call;
  const { blacklist, database, notices, ways } = services;
  const except = sessionIdOf(caller.jti);
  const user = await database.transaction(async (transaction) => {
    const user = await lockRecentCaller(transaction, services, caller);
    if (user.password === null) throw new ServiceError("NOT_FOUND", "The account has no password.");
    requireWay(await signInWays(transaction, ways, { ...user, password: null }));
    await endSessions(transaction, blacklist, user.id, { only: null, except });
    await revokeWebAuthTokens(transaction, user.id);
    await revokePasswordLinks(transaction, user.id);
    await voidPendingChanges(transaction, user.id);
    await forgetPassword(transaction, user.id);
    return user;
  });
  recordOwnAct(call, "password.removed");
  notices.tell("password.removed", user, call);
  return { message: "password removed", data: {} };
}
