import type { AccountBody } from "../../../../../vocabulary/accounts/account-bodies.ts";
import type { Transaction } from "../../../../core/database/index.ts";
import { ServiceError } from "../../../../core/errors/index.ts";
import { unavailable } from "../../blacklist/blacklist.ts";
import { revokeWebAuthTokens } from "../../sessions/revocation.ts";
import type { AccessClaims } from "../../tokens/access-token.ts";
import type { RefreshTokens } from "../../tokens/refresh-tokens.ts";
import { voidPendingChanges } from "../../users/pending-changes.ts";
import { lockUser, noteSessionsEnded } from "../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../account-route.ts";

type LogoutType = NonNullable<AccountBody<"logout">["logout_type"]>;

/**
 * `POST /auth/logout`: ends the session of a refresh token, all sessions of its user, or all others. It
 * revokes the access token, if it is valid and of the same user. Errors: `NOT_FOUND`, `AUTH_UNAVAILABLE`.
 */
export async function logout(
  { token, logout_type: type = "single" }: AccountBody<"logout">,
  call: AccountRequest<AccessClaims | null>,
): Promise<AuthAnswer> {
  const deleted = await endSessions(token, type, call);
  return { message: "signed out", data: { deleted_tokens: deleted, logout_type: type }, tokens: null };
}

/** Returns the number of deleted refresh tokens. */
async function endSessions(
  token: string,
  type: LogoutType,
  { services, caller }: AccountRequest<AccessClaims | null>,
): Promise<number> {
  const { database, refreshTokens, blacklist, now } = services;
  // If the database fails, the access token cannot be revoked. Not used for COMMIT, which can have succeeded.
  const orUnavailable = (error: unknown) => {
    throw caller === null || error instanceof ServiceError ? error : unavailable(error);
  };
  const owner = (await refreshTokens.find(database, token).catch(orUnavailable))?.userId;
  if (owner === undefined) throw unknownToken();
  const work = async (transaction: Transaction) => {
    await lockUser(transaction, owner);
    // Another request can use the token up while this one waits for the lock.
    if ((await refreshTokens.find(transaction, token)) === null) throw unknownToken();
    // First, so that nothing is deleted if the access token cannot be revoked.
    if (caller?.sub === owner) await blacklist.add([caller], transaction);
    if (type !== "single") {
      await noteSessionsEnded(transaction, owner, now());
      await revokeWebAuthTokens(transaction, owner);
      if (type === "all") await voidPendingChanges(transaction, owner);
    }
    return end(type, { transaction, refreshTokens, token, owner });
  };
  return database.transaction((transaction) => work(transaction).catch(orUnavailable));
}

interface Ending {
  readonly transaction: Transaction;
  readonly refreshTokens: RefreshTokens;
  readonly token: string;
  readonly owner: string;
}

/** Deletes refresh tokens. Returns their number. */
async function end(type: LogoutType, { transaction, refreshTokens, token, owner }: Ending): Promise<number> {
  if (type === "all") return refreshTokens.removeAll(transaction, owner);
  if (type === "others") return refreshTokens.removeOthers(transaction, owner, token);
  return refreshTokens.remove(transaction, token);
}

function unknownToken(): ServiceError {
  return new ServiceError("NOT_FOUND", "Token not found or already invalidated");
}
