import { type Database, type Transaction, tracedDatabase } from "../../../../core/database/index.ts";
import type { AnyAuthHooks, SocialResult, TokenPair } from "../../../../hooks/index.ts";
import { type AuthHookOrigin, requireAnswer, socialHook } from "../../auth-hook.ts";
import { againIfTaken } from "../../registration/registrations.ts";
import type { IssuedTokens, Sessions, SignInOrigin } from "../../sessions/sessions.ts";
import { asPrincipal, noteSignIn, socialUser, type UserRow } from "../../users/users-table.ts";
import type { Flow, Platform } from "../state/sign-in-state.ts";
import type { WebAuthTokens } from "../web-auth-token.ts";
import type { SocialAccounts } from "./social-accounts.ts";
import type { SocialVisitor } from "./social-rows.ts";

export interface SocialSessionsOptions {
  readonly database: Database;
  readonly accounts: SocialAccounts;
  readonly sessions: Sessions;
  readonly webAuthTokens: WebAuthTokens;
  readonly afterCallback: AnyAuthHooks["after_social_callback"];
  readonly placeholderDomain: string;
  /** Milliseconds. */
  readonly now: () => number;
}

/** The parameters with which the app began the sign-in. */
export interface SignInParameters {
  /** Null: `signup` for a new account, otherwise `login`. */
  readonly flow: Flow | null;
  readonly platform: Platform | null;
  readonly deviceToken: string | null;
}

/** The parameters of a sign-in that ends on a page of the app. */
export interface PageSignInParameters extends SignInParameters {
  /** The PKCE challenge that the token is bound to, or null. */
  readonly codeChallenge: string | null;
}

/** The response to a sign-in, after the hook. */
export interface SocialAnswer {
  readonly message: string;
  readonly data: unknown;
  /** The tokens themselves, even if a hook changed the data. */
  readonly tokens: IssuedTokens;
}

type About = Pick<SocialResult["data"], "flow" | "platform">;

/** Begins the session of a user whom a provider identified: account, tokens and hook in one transaction. */
export class SocialSessions {
  readonly #options: SocialSessionsOptions;

  constructor(options: SocialSessionsOptions) {
    this.#options = options;
  }

  /** Begins a session. Errors: those of `SocialAccounts` and of the hook. */
  answer(visitor: SocialVisitor, origin: SignInOrigin, parameters: SignInParameters): Promise<SocialAnswer> {
    return this.#enter(visitor, origin, parameters, async (transaction, found, about) => {
      const { user, tokens } = await this.#options.sessions.begin(transaction, origin, {
        user: found,
        signedInWith: [`social:${visitor.provider}`],
        show: socialUser,
      });
      const { pair } = tokens;
      const answer = await this.#runHook(transaction, origin, user, { ...parameters, about, tokens: pair });
      return { message: answer.message, data: answer.data, tokens };
    });
  }

  /** Returns a token that a page of the app redeems for a session. Errors: as for `answer`. */
  webAuthToken(
    visitor: SocialVisitor,
    origin: AuthHookOrigin,
    parameters: PageSignInParameters,
  ): Promise<string> {
    return this.#enter(visitor, origin, parameters, async (transaction, { id }, about) => {
      const user = await noteSignIn(transaction, id);
      await this.#runHook(transaction, origin, user, { ...parameters, about, tokens: {} });
      const { webAuthTokens, now } = this.#options;
      const { provider } = visitor;
      const token = { provider, challenge: parameters.codeChallenge };
      return webAuthTokens.issueFor(transaction, user.id, token, now());
    });
  }

  /**
   * Runs after the provider's last response, so that no database connection is held while waiting for the
   * provider.
   */
  async #enter<Result>(
    sent: SocialVisitor,
    origin: AuthHookOrigin,
    { flow, platform }: SignInParameters,
    signIn: (transaction: Transaction, user: UserRow, about: About) => Promise<Result>,
  ): Promise<Result> {
    const { accounts } = this.#options;
    const database = tracedDatabase(this.#options.database, origin.trace);
    const visitor = this.#withPlaceholder(sent);
    const work = async (transaction: Transaction) => {
      const { user, isNew } = await accounts.userOf(transaction, origin, visitor);
      const about = {
        flow: flow ?? (isNew ? "signup" : "login"),
        ...(platform !== null && { platform }),
      } as const;
      return signIn(transaction, user, about);
    };
    return againIfTaken(() => database.transaction(work));
  }

  async #runHook(
    transaction: Transaction,
    origin: AuthHookOrigin,
    user: UserRow,
    {
      deviceToken: device_token,
      about,
      tokens,
    }: SignInParameters & { about: About; tokens: Partial<TokenPair> },
  ): Promise<SocialResult> {
    const data = { user: socialUser(user), ...tokens, ...about };
    const result: SocialResult = { statusCode: 200, status: "success", message: "signed in", data };
    const caller = { principal: asPrincipal(user), device_token };
    const answer = await socialHook(origin, this.#options.afterCallback, result, transaction, caller);
    return requireAnswer(answer, "after_social_callback");
  }

  /**
   * Accounts of instagram and tiktok have no e-mail: they get a placeholder that receives no mail. A
   * placeholder address from another provider is ignored.
   */
  #withPlaceholder(visitor: SocialVisitor): SocialVisitor {
    const { provider, uid, identity } = visitor;
    const domain = `@${this.#options.placeholderDomain.toLowerCase()}`;
    if (provider !== "instagram" && provider !== "tiktok") {
      const isMadeUp = identity.email?.endsWith(domain) === true;
      return isMadeUp
        ? { ...visitor, identity: { ...identity, email: null, emailVerified: false } }
        : visitor;
    }
    const email = `${provider}_${uid}${domain}`.toLowerCase();
    return { ...visitor, identity: { ...identity, email, emailVerified: false } };
  }
}
