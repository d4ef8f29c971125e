import type { Principal } from "../access/index.ts";
import type { Transaction } from "../database/index.ts";
import { ServiceError } from "../errors/index.ts";
import type { LoginResult, LoginUser, OtpUser, ResultEnvelope, TokenPair } from "../hooks/index.ts";
import { authHook, requireAnswer } from "./auth-hook.ts";
import type { AuthAnswer, AuthCall } from "./http/account-route.ts";
import { noteSignIn, type UserRow } from "./users/users-table.ts";

/** Refuses an account that was deactivated: 403 `ACCOUNT_INACTIVE`. */
export function requireActive(user: UserRow): void {
  if (!user.isActive) throw new ServiceError("ACCOUNT_INACTIVE");
}

/** New tokens for a user whose row is locked. */
export async function issueTokens(
  transaction: Transaction,
  { services }: AuthCall<unknown>,
  user: UserRow,
): Promise<TokenPair> {
  const { accessTokens, refreshTokens, now } = services;
  const refreshToken = await refreshTokens.issue(transaction, user.id, now());
  return { accessToken: accessTokens.sign(user, now()), refreshToken, expiresIn: accessTokens.lifetime };
}

/** Signs a user in whose row is locked and who has proved it: notes the moment, issues tokens, runs `after_login`. */
export async function signIn(
  transaction: Transaction,
  call: AuthCall<unknown>,
  user: UserRow,
  show: (user: UserRow) => LoginUser | OtpUser,
): Promise<AuthAnswer> {
  const session = await beginSession(transaction, call, user, show);
  return afterLogin(transaction, call, session, session.result);
}

/** A session that has just begun. `result` is what will be answered, unless a hook makes something else of it. */
export interface Session<Shown> {
  readonly user: UserRow;
  readonly accessToken: string;
  readonly result: ResultEnvelope<{ user: Shown } & TokenPair>;
}

/** The first half of `signIn`: notes the moment and issues tokens. */
export async function beginSession<Shown extends LoginUser | OtpUser>(
  transaction: Transaction,
  call: AuthCall<unknown>,
  { id }: UserRow,
  show: (user: UserRow) => Shown,
): Promise<Session<Shown>> {
  const user = await noteSignIn(transaction, id);
  const tokens = await issueTokens(transaction, call, user);
  const data = { user: show(user), ...tokens };
  const result = { statusCode: 200, status: "success", message: "signed in", data } as const;
  return { user, accessToken: tokens.accessToken, result };
}

/** The second half of `signIn`: runs `after_login`. */
export async function afterLogin(
  transaction: Transaction,
  call: AuthCall<unknown>,
  { user, accessToken }: Session<unknown>,
  result: LoginResult,
): Promise<AuthAnswer> {
  const { after_login: hook } = call.services.accounts.hooks;
  const answer = await authHook(call, hook, result, transaction, asPrincipal(user));
  const { message, data } = requireAnswer(answer, "after_login");
  // The token itself, whatever a hook made of the answer.
  return { message, data, cookie: accessToken };
}

/** The user as hooks see the caller. */
export function asPrincipal({ id, role, email }: UserRow): Principal {
  return { user_id: id, role, email: email ?? "" };
}
