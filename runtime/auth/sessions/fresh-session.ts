import type { Transaction } from "../../database/index.ts";
import { ServiceError } from "../../errors/index.ts";
import type { Blacklist } from "../blacklist/blacklist.ts";
import type { AccessClaims, AccessTokens } from "../tokens/access-token.ts";
import { noSuchUser } from "../users/user-errors.ts";
import { lockUser, lockUsers, type UserRow } from "../users/users-table.ts";
import { requireActive } from "./sessions.ts";

/** What tells whether a session is good. */
export interface SessionChecks {
  readonly accessTokens: AccessTokens;
  readonly blacklist: Blacklist;
}

/**
 * The caller, locked until the transaction ends: for what makes credentials or second factors. These outlive the token, and
 * whoever stole it would keep the account. So what the request rests on is checked under the lock, where nothing can change
 * it any more. Errors: `TOKEN_REVOKED` for a token from before the password was set anew or all sessions were ended, or that
 * was revoked meanwhile, `ACCOUNT_INACTIVE`, `NOT_FOUND` where the user is gone. For all else such a token is good until it
 * expires (contract: "States and transitions").
 */
export async function lockCaller(
  transaction: Transaction,
  checks: SessionChecks,
  caller: AccessClaims,
): Promise<UserRow> {
  return requireFresh(transaction, checks, await lockUser(transaction, caller.sub), caller);
}

/** The other user, locked like the caller and after the same checks; null where there is none. */
export async function lockForCaller(
  transaction: Transaction,
  checks: SessionChecks,
  caller: AccessClaims,
  otherId: string,
): Promise<UserRow | null> {
  const [own, other] = await lockUsers(transaction, caller.sub, otherId);
  await requireFresh(transaction, checks, own, caller);
  return other;
}

async function requireFresh(
  transaction: Transaction,
  checks: SessionChecks,
  user: UserRow | null,
  caller: AccessClaims,
): Promise<UserRow> {
  if (user === null) throw noSuchUser();
  if (!checks.accessTokens.isCurrent(caller, user)) throw tooOld();
  await requireStanding(transaction, checks, user, caller);
  return user;
}

/** Refuses a session that was ended, or whose account was deactivated, since its token was checked. The user's row is locked. */
export async function requireStanding(
  transaction: Transaction,
  { blacklist }: Pick<SessionChecks, "blacklist">,
  user: UserRow,
  caller: AccessClaims,
): Promise<void> {
  if (await blacklist.has(caller, transaction)) throw new ServiceError("TOKEN_REVOKED");
  requireActive(user);
}

function tooOld(): ServiceError {
  const message =
    "The password was changed, or all sessions were ended, since this token was issued: sign in again.";
  return new ServiceError("TOKEN_REVOKED", message);
}
