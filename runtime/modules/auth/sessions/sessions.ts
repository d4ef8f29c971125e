import { randomUUID } from "node:crypto";
import type { Transaction } from "../../../core/database/index.ts";
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
import { type AuthHookOrigin, authHook, requireAnswer } from "../auth-hook.ts";
import type { AccessTokens } from "../tokens/access-token.ts";
import type { RefreshTokens, StoredRefreshToken } from "../tokens/refresh-tokens.ts";
import { asPrincipal, noteSignIn, type UserRow } from "../users/users-table.ts";
import { type Device, type SignInMethod, saveSession } from "./session-rows.ts";

interface SessionOptions {
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  /** In seconds, from the last renewal. */
  readonly refreshTokenSeconds: number;
  /** In seconds, from the sign-in; null for no limit. */
  readonly longestSeconds: number | null;
  /** False: sessions have no network address. */
  readonly storesAddresses: boolean;
  readonly afterLogin: AnyAuthHooks["after_login"];
  /** Milliseconds. */
  readonly now: () => number;
}

/** A request that signs a user in. */
export interface SignInOrigin extends AuthHookOrigin {
  readonly device: Device;
}

/** A user who proved the identity. */
interface NewSignIn<Shown> {
  readonly user: UserRow;
  readonly signedInWith: readonly SignInMethod[];
  /** The user in the response. */
  readonly show: (user: UserRow) => Shown;
}

/** The tokens of a new or renewed session. */
export interface IssuedTokens {
  readonly pair: TokenPair;
  /** The lifetime of the refresh token, in seconds. */
  readonly refreshSeconds: number;
}

/** The response to a sign-in, after the hooks. */
export interface SignedIn {
  readonly message: string;
  readonly data: unknown;
  /** The tokens themselves, even if a hook changed the data. */
  readonly tokens: IssuedTokens;
}

/** A new session. `result` is the response, unless a hook replaces it. */
interface Session<Shown> {
  readonly user: UserRow;
  readonly tokens: IssuedTokens;
  readonly result: ResultEnvelope<{ user: Shown } & TokenPair>;
}

interface SessionFacts {
  readonly sessionId: string;
  /** Milliseconds. */
  readonly createdAt: number;
  /** The time of the tokens, in milliseconds. */
  readonly at: number;
  readonly signedInWith: readonly SignInMethod[];
  readonly device: Device;
}

/** Begins and renews sessions of users who proved their identity. Their rows must be locked. */
export class Sessions {
  readonly #options: SessionOptions;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Begins a session. Returns its first tokens. */
  async issueTokens(
    transaction: Transaction,
    { device }: SignInOrigin,
    user: UserRow,
    signedInWith: readonly SignInMethod[],
  ): Promise<IssuedTokens> {
    const { refreshTokens, now } = this.#options;
    const createdAt = now();
    const sessionId = randomUUID();
    const expiresAt = this.#endOf(createdAt, createdAt);
    const refreshToken = await refreshTokens.issue(
      transaction,
      { userId: user.id, sessionId, expiresAt },
      createdAt,
    );
    const session = { sessionId, createdAt, at: createdAt, signedInWith, device };
    return this.#issued(await this.#accessToken(transaction, user, session), refreshToken, expiresAt);
  }

  /** Ends a new session, whose tokens no one gets. */
  async discard(transaction: Transaction, { pair }: IssuedTokens): Promise<void> {
    await this.#options.refreshTokens.remove(transaction, pair.refreshToken);
  }

  /** Continues the session of a good refresh token, and uses the token up. Errors: `TOKEN_EXPIRED`. */
  async renewTokens(
    transaction: Transaction,
    { device }: SignInOrigin,
    user: UserRow,
    present: string,
    { sessionId: known, createdAt }: StoredRefreshToken,
  ): Promise<IssuedTokens> {
    const { refreshTokens, now } = this.#options;
    const sessionId = known ?? randomUUID();
    const at = now();
    const expiresAt = this.#endOf(createdAt, at);
    if (expiresAt * 1000 <= at) throw new ServiceError("TOKEN_EXPIRED");
    const next = { userId: user.id, sessionId, expiresAt };
    const refreshToken = await refreshTokens.replace(transaction, present, next, at);
    const session = { sessionId, createdAt, at, signedInWith: [], device };
    return this.#issued(await this.#accessToken(transaction, user, session), refreshToken, expiresAt);
  }

  #issued(accessToken: string, refreshToken: string, expiresAt: number): IssuedTokens {
    const { accessTokens, now } = this.#options;
    const pair = { accessToken, refreshToken, expiresIn: accessTokens.lifetime };
    return { pair, refreshSeconds: expiresAt - Math.floor(now() / 1000) };
  }

  /** When a refresh token of a session that began at `createdAt` ends, in seconds. */
  #endOf(createdAt: number, at: number): number {
    const { refreshTokenSeconds, longestSeconds } = this.#options;
    const end = Math.floor(at / 1000) + refreshTokenSeconds;
    return longestSeconds === null ? end : Math.min(end, Math.floor(createdAt / 1000) + longestSeconds);
  }

  /** Stores the session and returns its next access token. */
  async #accessToken(
    transaction: Transaction,
    user: UserRow,
    { sessionId: id, device, at, ...session }: SessionFacts,
  ): Promise<string> {
    const { accessTokens, storesAddresses } = this.#options;
    await saveSession(transaction, {
      ...session,
      id,
      userId: user.id,
      accessExpiresAt: at + accessTokens.lifetime * 1000,
      device: storesAddresses ? device : { ...device, address: null },
    });
    return accessTokens.sign(user, at, id);
  }

  /** Signs a user in: records the time, issues tokens, runs `after_login`. */
  async signIn(
    transaction: Transaction,
    origin: SignInOrigin,
    signIn: NewSignIn<LoginUser | OtpUser>,
  ): Promise<SignedIn> {
    const session = await this.begin(transaction, origin, signIn);
    return this.afterLogin(transaction, origin, session, session.result);
  }

  /** The first half of `signIn`: records the time and issues tokens. */
  async begin<Shown extends LoginUser | OtpUser | SocialUser>(
    transaction: Transaction,
    origin: SignInOrigin,
    { user: { id }, signedInWith, show }: NewSignIn<Shown>,
  ): Promise<Session<Shown>> {
    const user = await noteSignIn(transaction, id);
    const tokens = await this.issueTokens(transaction, origin, user, signedInWith);
    const data = { user: show(user), ...tokens.pair };
    const result = { statusCode: 200, status: "success", message: "signed in", data } as const;
    return { user, tokens, result };
  }

  /** The second half of `signIn`: runs `after_login`. */
  async afterLogin(
    transaction: Transaction,
    origin: AuthHookOrigin,
    { user, tokens }: Session<unknown>,
    result: LoginResult,
  ): Promise<SignedIn> {
    const hook = this.#options.afterLogin;
    const answer = await authHook(origin, hook, result, transaction, asPrincipal(user));
    const { message, data } = requireAnswer(answer, "after_login");
    return { message, data, tokens };
  }
}
