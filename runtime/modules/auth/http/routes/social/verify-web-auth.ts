import type { AccountBody } from "../../../../../../vocabulary/accounts/account-bodies.ts";
import { ServiceError } from "../../../../../core/errors/index.ts";
import { requireActive } from "../../../sessions/caller.ts";
import { lockUser, loginUser } from "../../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";

/**
 * `POST /auth/verify-web-auth`: begins a session with the token that a social sign-in added to the URL of a
 * page. Sets cookies only with `cookie_only`. Errors: `VALIDATION_ERROR`, `INVALID_TOKEN`, `ACCOUNT_INACTIVE`.
 */
export async function verifyWebAuth(
  { token, code_verifier: verifier, cookie_only: isCookieOnly = false }: AccountBody<"verifyWebAuth">,
  call: AccountRequest<null>,
): Promise<AuthAnswer> {
  const { database, sessions, social, now } = call.services;
  const { webAuthTokens } = social;
  const { userId, provider } = webAuthTokens.read(token, verifier, now());
  return database.transaction(async (transaction) => {
    const user = await lockUser(transaction, userId);
    if (user === null || !(await webAuthTokens.consume(transaction, user.id, token)))
      throw new ServiceError("INVALID_TOKEN");
    requireActive(user);
    const { tokens, ...answer } = await sessions.signIn(transaction, call, {
      user,
      signedInWith: [`social:${provider}`],
      show: loginUser,
    });
    return isCookieOnly ? { ...answer, tokens } : answer;
  });
}
