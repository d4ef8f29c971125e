import type { Database, Transaction } from "../../../core/database/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import type { Blacklist } from "../blacklist/blacklist.ts";
import type { AccessClaims, AccessTokens } from "../tokens/access-token.ts";
import { lockUser, lockUsers, noSuchUser, type UserRow } from "../users/users-table.ts";

/**
 * Runs `work` in a transaction. An error that `work` throws rolls it back. An error that `work` returns is
 * thrown after the commit, so that counts of wrong tries are kept.
 */
export async function inTransaction<T>(
  database: Database,
  work: (transaction: Transaction) => Promise<T | ServiceError>,
): Promise<T> {
  return orThrow(await database.transaction(work));
}

/** Returns the result, and throws it if it is an error. */
export function orThrow<T>(result: T | ServiceError): T {
  if (result instanceof ServiceError) throw result;
  return result;
}

/** Refuses an account that was deactivated: 403 `ACCOUNT_INACTIVE`. */
export function requireActive({ isActive }: UserRow): void {
  if (!isActive) throw new ServiceError("ACCOUNT_INACTIVE");
}

export interface SessionChecks {
  readonly accessTokens: AccessTokens;
  readonly blacklist: Blacklist;
}

/**
 * Returns the caller, locked until the transaction ends. For operations that create credentials or second
 * factors, with which a thief of the token could keep the account. So the token is checked under the lock.
 * Errors: `TOKEN_REVOKED` for a revoked token, or one from before the last password change or end of all
 * sessions; `ACCOUNT_INACTIVE`; `NOT_FOUND`. Other operations accept such a token until it expires.
 */
export async function lockCaller(
  transaction: Transaction,
  checks: SessionChecks,
  caller: AccessClaims,
): Promise<UserRow> {
  return requireFresh(transaction, checks, await lockUser(transaction, caller.sub), caller);
}

/** Returns the other user, locked like the caller and after the same checks; null if it does not exist. */
export async function lockForCaller(
  transaction: Transaction,
  checks: SessionChecks,
  caller: AccessClaims,
  otherId: string,
): Promise<UserRow | null> {
  const { other } = await lockWithCaller(transaction, checks, caller, otherId);
  return other;
}

/** Returns the caller and the other user, locked. Errors: those of `lockCaller`. */
export async function lockWithCaller(
  transaction: Transaction,
  checks: SessionChecks,
  caller: AccessClaims,
  otherId: string,
): Promise<{ readonly own: UserRow; readonly other: UserRow | null }> {
  const [own, other] = await lockUsers(transaction, caller.sub, otherId);
  return { own: await requireFresh(transaction, checks, own, caller), other };
}

async function requireFresh(
  transaction: Transaction,
  checks: SessionChecks,
  user: UserRow | null,
  caller: AccessClaims,
): Promise<UserRow> {
  if (user === null) throw noSuchUser();
  if (!checks.accessTokens.isCurrent(caller, user)) throw tooOld();
  await requireActiveSession(transaction, checks, user, caller);
  return user;
}

/** Refuses a revoked access token and a deactivated account. The user's row must be locked. */
export async function requireActiveSession(
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
