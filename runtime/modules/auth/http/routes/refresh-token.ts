import { ServiceError } from "../../../../core/errors/index.ts";
import { requireActive } from "../../sessions/sessions.ts";
import { asPrincipal, lockUser } from "../../users/users-table.ts";
import { type BodyOf, body, text } from "../account-body.ts";
import type { AuthAnswer, AuthCall } from "../account-route.ts";

const keys = { refreshToken: text(4096) };

export const refreshTokenBody = body(keys);

/**
 * `POST /auth/refresh-token`: a new pair for a token that is used up by it, with the user's present role. Errors:
 * `INVALID_TOKEN` (also for one that was used or revoked, or whose user is gone), `TOKEN_EXPIRED`, `ACCOUNT_INACTIVE`,
 * which leaves the token as it is.
 */
export async function refreshToken(sent: BodyOf<typeof keys>, call: AuthCall<null>): Promise<AuthAnswer> {
  const { database, refreshTokens, sessions, now } = call.services;
  const { sub: userId } = refreshTokens.claimsOf(sent.refreshToken, now());
  return database.transaction(async (transaction) => {
    const user = await lockUser(transaction, userId);
    // First: of an account, one that was used or revoked tells nothing any more.
    if (user === null || !(await refreshTokens.consume(transaction, user.id, sent.refreshToken)))
      throw new ServiceError("INVALID_TOKEN");
    requireActive(user);
    call.identify(asPrincipal(user));
    const tokens = await sessions.issueTokens(transaction, user);
    return { message: "tokens renewed", data: tokens, accessToken: tokens.accessToken };
  });
}
