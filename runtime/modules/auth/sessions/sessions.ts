import type { Database, Queryable, Transaction } from "../../../core/database/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import type {
  AnyAuthHooks,
  LoginResult,
  LoginUser,
  OtpUser,
  ResultEnvelope,
  SocialUser,
  TokenPair,
} from "../../../hooks/index.ts";
import type { ApiKeys } from "../api-keys/api-keys.ts";
import { type AuthHookOrigin, authHook, requireAnswer } from "../auth-hook.ts";
import { accountEntry, type Blacklist } from "../blacklist/blacklist.ts";
import type { AccessClaims, AccessTokens } from "../tokens/access-token.ts";
import type { RefreshTokens } from "../tokens/stored-tokens.ts";
import {
  asPrincipal,
  forgetPassword,
  lockUser,
  lockUsers,
  noSuchUser,
  noteSessionsEnded,
  noteSignIn,
  type UserRow,
} from "../users/users-table.ts";

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

interface SessionOptions {
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly afterLogin: AnyAuthHooks["after_login"];
  /** Milliseconds. */
  readonly now: () => number;
}

/** The response to a sign-in, after the hooks. */
export interface SignedIn {
  readonly message: string;
  readonly data: unknown;
  /** The token itself, even if a hook changed the data. */
  readonly accessToken: string;
}

/** A new session. `result` is the response, unless a hook replaces it. */
interface Session<Shown> {
  readonly user: UserRow;
  readonly accessToken: string;
  readonly result: ResultEnvelope<{ user: Shown } & TokenPair>;
}

/** Begins sessions of users who proved their identity. Their rows must be locked. */
export class Sessions {
  readonly #options: SessionOptions;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Returns new tokens for a user. */
  async issueTokens(transaction: Transaction, user: UserRow): Promise<TokenPair> {
    const { accessTokens, refreshTokens, now } = this.#options;
    const refreshToken = await refreshTokens.issue(transaction, user.id, now());
    return { accessToken: accessTokens.sign(user, now()), refreshToken, expiresIn: accessTokens.lifetime };
  }

  /** Signs a user in: records the time, issues tokens, runs `after_login`. */
  async signIn(
    transaction: Transaction,
    origin: AuthHookOrigin,
    user: UserRow,
    show: (user: UserRow) => LoginUser | OtpUser,
  ): Promise<SignedIn> {
    const session = await this.begin(transaction, user, show);
    return this.afterLogin(transaction, origin, session, session.result);
  }

  /** The first half of `signIn`: records the time and issues tokens. */
  async begin<Shown extends LoginUser | OtpUser | SocialUser>(
    transaction: Transaction,
    { id }: UserRow,
    show: (user: UserRow) => Shown,
  ): Promise<Session<Shown>> {
    const user = await noteSignIn(transaction, id);
    const tokens = await this.issueTokens(transaction, user);
    const data = { user: show(user), ...tokens };
    const result = { statusCode: 200, status: "success", message: "signed in", data } as const;
    return { user, accessToken: tokens.accessToken, result };
  }

  /** The second half of `signIn`: runs `after_login`. */
  async afterLogin(
    transaction: Transaction,
    origin: AuthHookOrigin,
    { user, accessToken }: Session<unknown>,
    result: LoginResult,
  ): Promise<SignedIn> {
    const hook = this.#options.afterLogin;
    const answer = await authHook(origin, hook, result, transaction, asPrincipal(user));
    const { message, data } = requireAnswer(answer, "after_login");
    return { message, data, accessToken };
  }
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

/** Returns a function that deletes tokens of a user. The user's row must be locked. */
function deletion(name: string, which: string) {
  const text = `delete from auth_tokens where user_id = $1 and token_type ${which}`;
  const statement = { name: `kirak_auth_revoke_${name}`, text };
  return async (connection: Queryable, userId: string): Promise<void> => {
    await connection.run(statement, [userId]);
  };
}

/** Ends all sessions of a user and voids pending reset links; API keys stay. */
export const revokeSessions = deletion("sessions", "in ('refresh', 'password_reset', 'web_auth')");

/** Voids the tokens of social sign-ins that no page has redeemed yet. */
export const revokeWebAuthTokens = deletion("web_auth", "= 'web_auth'");

const all = {
  name: "kirak_auth_revoke_all",
  text: "delete from auth_tokens where user_id = $1 returning token_hash, token_type",
};

/** Deletes all tokens of a user, and API keys also from the cache. The user's row must be locked. */
export async function revokeAllTokens(
  connection: Queryable,
  apiKeys: Pick<ApiKeys, "forget">,
  userId: string,
): Promise<void> {
  const rows = await connection.run(all, [userId]);
  await apiKeys.forget(rows.flatMap(([hash, type]) => (hash != null && type === "api_key" ? [hash] : [])));
}

export interface AccountRevocation {
  readonly apiKeys: Pick<ApiKeys, "forget">;
  readonly blacklist: Blacklist;
  readonly accessTokens: AccessTokens;
  /** Milliseconds. */
  readonly now: () => number;
}

const removals = ["auth_mfa", "auth_social"].map((table) => ({
  name: `kirak_auth_user_clear_${table}`,
  text: `delete from ${table} where user_id = $1`,
}));

/**
 * Removes every credential of an account that was never verified: an attacker can have registered it before
 * the owner of the address. The user's row must be locked. Errors: `AUTH_UNAVAILABLE`.
 */
export async function clearCredentials(
  transaction: Queryable,
  { apiKeys, blacklist, accessTokens, now }: AccountRevocation,
  userId: string,
): Promise<void> {
  // Revokes every access token issued until now. Tokens issued later are valid.
  const exp = Math.ceil(now() / 1000) + accessTokens.lifetime;
  await blacklist.add({ jti: accountEntry(userId), exp }, transaction);
  await noteSessionsEnded(transaction, userId, now());
  await revokeAllTokens(transaction, apiKeys, userId);
  await forgetPassword(transaction, userId);
  for (const statement of removals) await transaction.run(statement, [userId]);
}
