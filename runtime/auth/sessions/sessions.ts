import type { Transaction } from "../../database/index.ts";
import { ServiceError } from "../../errors/index.ts";
import type {
  AnyAuthHooks,
  LoginResult,
  LoginUser,
  OtpUser,
  ResultEnvelope,
  SocialUser,
  TokenPair,
} from "../../hooks/index.ts";
import { type AuthHookOrigin, authHook, requireAnswer } from "../auth-hook.ts";
import type { AccessTokens } from "../tokens/access-token.ts";
import type { RefreshTokens } from "../tokens/refresh-token.ts";
import { asPrincipal } from "../users/user-object.ts";
import { noteSignIn, type UserRow } from "../users/users-table.ts";

/** Refuses an account that was deactivated: 403 `ACCOUNT_INACTIVE`. */
export function requireActive({ isActive }: UserRow): void {
  if (!isActive) throw new ServiceError("ACCOUNT_INACTIVE");
}

/** What sessions are made with. */
export interface SessionOptions {
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly afterLogin: AnyAuthHooks["after_login"];
  /** Milliseconds. */
  readonly now: () => number;
}

/** What is answered to who signed in, as hooks have left it. */
export interface SignedIn {
  readonly message: string;
  readonly data: unknown;
  /** The token itself, whatever a hook made of the data. */
  readonly accessToken: string;
}

/** A session that has just begun. `result` is what will be answered, unless a hook makes something else of it. */
export interface Session<Shown> {
  readonly user: UserRow;
  readonly accessToken: string;
  readonly result: ResultEnvelope<{ user: Shown } & TokenPair>;
}

/** Begins the sessions of users whose rows are locked, and who have proved who they are. */
export class Sessions {
  readonly #options: SessionOptions;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** New tokens for a user. */
  async issueTokens(transaction: Transaction, user: UserRow): Promise<TokenPair> {
    const { accessTokens, refreshTokens, now } = this.#options;
    const refreshToken = await refreshTokens.issue(transaction, user.id, now());
    return { accessToken: accessTokens.sign(user, now()), refreshToken, expiresIn: accessTokens.lifetime };
  }

  /** Signs a user in: notes the moment, issues tokens, runs `after_login`. */
  async signIn(
    transaction: Transaction,
    origin: AuthHookOrigin,
    user: UserRow,
    show: (user: UserRow) => LoginUser | OtpUser,
  ): Promise<SignedIn> {
    const session = await this.begin(transaction, user, show);
    return this.afterLogin(transaction, origin, session, session.result);
  }

  /** The first half of `signIn`: notes the moment and issues tokens. */
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
