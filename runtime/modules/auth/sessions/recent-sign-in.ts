import type { Transaction } from "../../../core/database/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import type { AccessClaims } from "../tokens/access-token.ts";
import { sessionIdOf } from "../tokens/token-ids.ts";
import { type SignInSettings, type SignInWays, signInWays } from "../users/sign-in-ways.ts";
import type { UserRow } from "../users/users-table.ts";
import { lockCaller, type SessionChecks } from "./caller.ts";
import { sessionBegun } from "./session-rows.ts";

export interface RecentChecks extends SessionChecks {
  readonly ways: SignInSettings;
  readonly recentSeconds: number;
  /** Milliseconds. */
  readonly now: () => number;
}

/**
 * Like `lockCaller`, for changes of the ways to sign in: the session of the token must have begun a short time
 * ago. Errors: also 403 `REAUTHENTICATION_REQUIRED`, which tells how the account can sign in.
 */
export async function lockRecentCaller(
  transaction: Transaction,
  checks: RecentChecks,
  caller: AccessClaims,
): Promise<UserRow> {
  const user = await lockCaller(transaction, checks, caller);
  await requireRecent(transaction, checks, caller, user);
  return user;
}

/** Refuses a token whose sign-in is not recent: 403 `REAUTHENTICATION_REQUIRED`. */
export async function requireRecent(
  transaction: Transaction,
  checks: RecentChecks,
  caller: AccessClaims,
  user: UserRow,
): Promise<void> {
  if ((await recentUntil(transaction, checks, caller)) === null)
    throw reauthenticationRequired(checks, await signInWays(transaction, checks.ways, user));
}

/** Until when the session of a token counts as recent, in milliseconds; null if it does not. */
export async function recentUntil(
  connection: Pick<Transaction, "run">,
  { recentSeconds, now }: Pick<RecentChecks, "recentSeconds" | "now">,
  { sub, jti }: AccessClaims,
): Promise<number | null> {
  const sessionId = sessionIdOf(jti);
  const begun = sessionId === null ? null : await sessionBegun(connection, sub, sessionId);
  const until = begun === null ? null : begun + recentSeconds * 1000;
  return until !== null && until > now() ? until : null;
}

function reauthenticationRequired({ recentSeconds }: RecentChecks, ways: SignInWays): ServiceError {
  const { password, passkeys, email_code, phone, providers, mfa } = ways;
  const methods = [
    ...(password ? ["password"] : []),
    ...(passkeys > 0 ? ["passkey"] : []),
    ...(email_code ? ["email_code"] : []),
    ...(phone ? ["phone_code"] : []),
  ];
  const details = { max_age_seconds: recentSeconds, methods, providers, second_factor: mfa };
  return new ServiceError("REAUTHENTICATION_REQUIRED", undefined, details);
}
