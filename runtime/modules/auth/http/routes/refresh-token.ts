import type { AccountBody } from "../../../../../vocabulary/accounts/account-bodies.ts";
import { ServiceError } from "../../../../core/errors/index.ts";
import { requireActive } from "../../sessions/caller.ts";
import { asPrincipal, lockUser } from "../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../account-route.ts";

/**
 * `POST /auth/refresh-token`: exchanges a token for a new pair with the user's current role, and uses the
 * token up. Errors: `INVALID_TOKEN` (also for a used or revoked token, or a deleted user), `TOKEN_EXPIRED`,
 * `ACCOUNT_INACTIVE`, which does not use the token up.
 */
export async function refreshToken(
  sent: AccountBody<"refreshToken">,
  call: AccountRequest<null>,
): Promise<AuthAnswer> {
  const { database, refreshTokens, sessions, now } = call.services;
  const present = sent.refreshToken;
  const userId = refreshTokens.subjectOf(present, now());
  return database.transaction(async (transaction) => {
    const user = await lockUser(transaction, userId);
    // First, so that a used or revoked token reveals nothing about the account.
    const stored = await refreshTokens.find(transaction, present);
    if (user === null || stored?.userId !== user.id) throw new ServiceError("INVALID_TOKEN");
    requireActive(user);
    call.identify(asPrincipal(user));
    const tokens = await sessions.renewTokens(transaction, call, user, present, stored);
    return { message: "tokens renewed", data: tokens.pair, tokens };
  });
}
