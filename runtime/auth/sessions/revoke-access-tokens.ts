import type { Queryable } from "../../database/index.ts";
import type { ApiKeys } from "../api-keys/api-keys.ts";
import { accountEntry, type Blacklist } from "../blacklist/blacklist.ts";
import type { AccessTokens } from "../tokens/access-token.ts";
import { noteSessionsEnded } from "../users/users-table.ts";

/** What revoking the tokens of an account takes. */
export interface AccountRevocation {
  readonly apiKeys: Pick<ApiKeys, "forget">;
  readonly blacklist: Blacklist;
  readonly accessTokens: AccessTokens;
  /** Milliseconds. */
  readonly now: () => number;
}

/**
 * Revokes every access token that an account has by now, at once. Tokens that are issued later in the transaction, or after it, are good.
 * The user's row is locked. Errors: `AUTH_UNAVAILABLE`.
 */
export async function revokeAccessTokens(
  transaction: Queryable,
  { blacklist, accessTokens, now }: AccountRevocation,
  userId: string,
): Promise<void> {
  const exp = Math.ceil(now() / 1000) + accessTokens.lifetime;
  await blacklist.add({ jti: accountEntry(userId), exp }, transaction);
  await noteSessionsEnded(transaction, userId, now());
}
