import { providerRow } from "../../../../vocabulary/social/providers.ts";
import { type Config, signInPageOf } from "../../../core/config/index.ts";
import { type Database, tracedDatabase } from "../../../core/database/index.ts";
import { invalid, ServiceError } from "../../../core/errors/index.ts";
import type { AnyAuthHooks } from "../../../hooks/index.ts";
import type { AuthHookOrigin } from "../auth-hook.ts";
import { encryptionKeys, SealedTexts } from "../crypto/hash.ts";
import { withParameter } from "../links/signed-link.ts";
import type { Registrations } from "../registration/registrations.ts";
import type { AccountRevocation } from "../sessions/revocation.ts";
import type { Sessions, SignInOrigin } from "../sessions/sessions.ts";
import { linkProvider, type NewLink } from "./accounts/link-provider.ts";
import { SocialAccounts } from "./accounts/social-accounts.ts";
import type { SocialVisitor } from "./accounts/social-rows.ts";
import { type PageSignInParameters, type SocialAnswer, SocialSessions } from "./accounts/social-sessions.ts";
import { identityOf, type SocialIdentity, storedAnswers, tidy } from "./conversation/identity.ts";
import type { Answers } from "./conversation/paths.ts";
import type { Provider } from "./declared-provider.ts";
import type { MobileRequest, MobileTokens } from "./mobile.ts";
import { Outbound } from "./outbound.ts";
import { type CallbackRequest, orErrorPage, type SocialOutcome, type StartedSignIn } from "./outcome.ts";
import { usedStateMessage } from "./protocols/browser-parameters.ts";
import { type Conversation, conversations, KeySets, type ProtocolContext } from "./protocols/index.ts";
import { SocialFailure } from "./social-failure.ts";
import {
  type CookieContent,
  type LinkOwner,
  type SignedState,
  SignInCookies,
  type SignInOptions,
  type SignInState,
  SignInStates,
  signInOptionsOf,
} from "./state/sign-in-state.ts";
import { WebAuthTokens } from "./web-auth-token.ts";

/** The dependencies of social sign-in. */
export interface SocialSignInOptions extends AccountRevocation {
  readonly config: Config;
  readonly database: Database;
  readonly registrations: Registrations;
  readonly sessions: Sessions;
  readonly afterCallback: AnyAuthHooks["after_social_callback"];
  /** Resolves the hosts of providers; only for tests, which simulate the providers. */
  readonly resolveProvider?: ((url: URL) => URL) | undefined;
}

/** Signs users in with their accounts at social providers. */
export class SocialSignIn {
  /** The declared providers, in the order of the manifest. */
  readonly conversations: ReadonlyMap<string, Conversation>;
  readonly webAuthTokens: WebAuthTokens;
  readonly #config: Config;
  readonly #now: () => number;
  readonly #outbound: Outbound;
  readonly #states: SignInStates;
  readonly #cookies: SignInCookies;
  readonly #sessions: SocialSessions;
  readonly #database: Database;
  readonly #sealed: SealedTexts;
  readonly #keys: KeySets;
  readonly #context: ProtocolContext;

  constructor(options: SocialSignInOptions) {
    const { config, resolveProvider: resolve, now } = options;
    const { jwt } = config.secrets;
    const userAgent = `${config.name.replace(/[^\w.-]+/g, "-")} (kirak)`;
    const outbound = new Outbound({ userAgent, production: config.production, resolve });
    const context = { outbound, now };
    this.#outbound = outbound;
    this.#context = context;
    this.#keys = new KeySets(context);
    const sealed = new SealedTexts(encryptionKeys(config.secrets, "social"));
    const accounts = new SocialAccounts({ ...options, sealed });
    const { placeholderDomain } = config.social;
    this.#config = config;
    this.#database = options.database;
    this.#sealed = sealed;
    this.#now = now;
    this.conversations = conversations(config.social.providers, context, this.#keys);
    this.webAuthTokens = new WebAuthTokens(jwt);
    this.#states = new SignInStates(jwt);
    this.#cookies = new SignInCookies(jwt);
    const { webAuthTokens } = this;
    this.#sessions = new SocialSessions({ ...options, accounts, webAuthTokens, placeholderDomain });
  }

  /** The title of a provider, also of one that is not declared any more. */
  titleOf(provider: string): string {
    return this.conversations.get(provider)?.provider.title ?? providerRow(provider)?.title ?? provider;
  }

  /**
   * Begins a sign-in, or for `link` the linking of a provider to that user. Errors: `VALIDATION_ERROR`;
   * `SOCIAL_AUTH_FAILED` if a call to the provider fails.
   */
  async begin(
    { provider, begin }: Conversation,
    query: URLSearchParams,
    origin: Pick<AuthHookOrigin, "log" | "trace">,
    link: LinkOwner | null = null,
  ): Promise<StartedSignIn> {
    const options = signInOptionsOf(query, pagesOf(this.#config));
    this.#requirePage(provider.name, options);
    const { state, csrf, secrets } = this.#states.make(provider.name, options, this.#now());
    const authorization =
      begin === null ? null : await this.#ask(provider.name, origin, () => begin({ state, secrets, query }));
    const { redirectTo, codeChallenge } = options;
    const content = { redirectTo, secret: authorization?.secret ?? null, codeChallenge, link };
    const cookie = this.#cookies.seal(provider.name, csrf, content);
    return { location: authorization?.location ?? null, state, cookie };
  }

  /**
   * Ends a sign-in. Errors: `VALIDATION_ERROR` for the state; `SOCIAL_AUTH_FAILED`, and those of protocol and
   * `SocialSessions`. If the callback redirects to a page of the app, the page gets their codes instead.
   */
  async finish(
    conversation: Conversation,
    callback: CallbackRequest,
    origin: SignInOrigin,
  ): Promise<SocialOutcome> {
    const { name } = conversation.provider;
    const text = callback.form.get("state") ?? callback.form.get("RelayState") ?? "";
    const state = this.#states.read(name, text, this.#now());
    if (state === null) throw invalid([{ field: "state", message: "is not valid, or has expired" }]);
    const content = this.#bound(conversation, callback, state);
    const visit = () => this.#visitor(conversation, callback, { text, state, content }, origin);
    const page = this.#pageOf(name, state, content);
    if (content?.link != null) return this.#finishLink(page, content.link, visit, origin);
    if (page !== null)
      return this.#redirect(page, { ...state, codeChallenge: content?.codeChallenge ?? null }, visit, origin);
    const { tokens, ...answer } = await this.#sessions.answer(await visit(), origin, state);
    const setsCookie = content !== null && state.platform === "web";
    return { kind: "answer", ...answer, ...(setsCookie && { tokens }) };
  }

  /**
   * Signs in with a token that a mobile app got from the provider. Errors: `MOBILE_SIGN_IN_NOT_SUPPORTED`,
   * `VALIDATION_ERROR`, `SOCIAL_AUTH_FAILED`, and those of `SocialSessions`.
   */
  async mobile({ provider }: Conversation, sent: MobileRequest, origin: SignInOrigin): Promise<SocialAnswer> {
    const visitor = await this.#ask(provider.name, origin, async () => {
      const answers = await this.#mobileAnswers(provider, sent);
      const found = identityOf(provider, answers);
      const named = found.firstName !== null || found.lastName !== null;
      const identity = named
        ? found
        : { ...found, firstName: tidy(sent.firstName), lastName: tidy(sent.lastName) };
      return visitorOf(provider, identity, answers);
    });
    return this.#sessions.answer(visitor, origin, { ...sent, flow: null });
  }

  /**
   * Links the provider of a mobile app's token to a user. Errors: those of `mobile` for the token, and those of
   * `linkProvider`.
   */
  async linkMobile(
    { provider }: Conversation,
    sent: MobileTokens,
    owner: LinkOwner,
    origin: Pick<AuthHookOrigin, "log" | "trace">,
  ): Promise<NewLink> {
    const visitor = await this.#ask(provider.name, origin, async () => {
      const answers = await this.#mobileAnswers(provider, sent);
      return visitorOf(provider, identityOf(provider, answers), answers);
    });
    return this.#link(owner, visitor, origin);
  }

  async #mobileAnswers(provider: Provider, sent: MobileTokens): Promise<Answers> {
    const { mobileAnswers } = await import("./mobile.ts");
    return mobileAnswers(this.#context, this.#keys, provider, sent);
  }

  #link(
    owner: LinkOwner,
    visitor: SocialVisitor,
    { trace }: Pick<AuthHookOrigin, "trace">,
  ): Promise<NewLink> {
    const database = tracedDatabase(this.#database, trace);
    return database.transaction((transaction) => linkProvider(transaction, this.#sealed, owner, visitor));
  }

  /** Ends the linking of a provider. It sets no cookie, and a page gets no token. */
  async #finishLink(
    page: string | null,
    owner: LinkOwner,
    visit: () => Promise<SocialVisitor>,
    origin: SignInOrigin,
  ): Promise<SocialOutcome> {
    const link = async () => {
      const visitor = await visit();
      return { provider: visitor.provider, made: await this.#link(owner, visitor, origin) };
    };
    if (page === null) {
      const { provider, made } = await link();
      return { kind: "answer", message: "provider linked", data: { provider, linked: true }, made };
    }
    return orErrorPage(page, origin, async () => {
      const { provider, made } = await link();
      return { kind: "page", location: withParameter(page, "linked", provider), made };
    });
  }

  /** Returns the cookie's content; null if this sign-in has no cookie and needs none. Errors: 400. */
  #bound(
    { provider }: Conversation,
    { cookie, crossSite }: CallbackRequest,
    state: SignInState,
  ): CookieContent | null {
    const content = cookie === null ? null : this.#cookies.open(provider.name, state.csrf, cookie);
    if (content !== null) return content;
    const isNeverSent = crossSite && !this.#config.baseUrl.startsWith("https:");
    if ((state.platform === "web" && !isNeverSent) || provider.row.protocol === "oauth1")
      throw invalid([{ field: "state", message: usedStateMessage }]);
    return null;
  }

  #visitor(
    conversation: Conversation,
    { form, cookies }: CallbackRequest,
    { text, state, content }: { text: string; state: SignedState; content: CookieContent | null },
    origin: AuthHookOrigin,
  ): Promise<SocialVisitor> {
    const { provider } = conversation;
    const { secrets } = state;
    const secret = content?.secret ?? null;
    return this.#ask(provider.name, origin, async () => {
      const answers = await conversation.finish({ state: text, secrets, form, cookies, secret });
      return visitorOf(provider, identityOf(provider, answers), answers);
    });
  }

  async #redirect(
    page: string,
    parameters: PageSignInParameters,
    visit: () => Promise<SocialVisitor>,
    origin: AuthHookOrigin,
  ): Promise<SocialOutcome> {
    return orErrorPage(page, origin, async () => {
      const token = await this.#sessions.webAuthToken(await visit(), origin, parameters);
      return { kind: "page", location: withParameter(page, "token", token) };
    });
  }

  /** Runs calls to a provider. Logs a failure; the client gets only its reason (docs/social.md#routes). */
  async #ask<T>(
    provider: string,
    { log, trace }: Pick<AuthHookOrigin, "log" | "trace">,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await this.#outbound.asSteps(trace, `provider:${provider}`, work);
    } catch (error) {
      if (!(error instanceof SocialFailure)) throw error;
      log.warn({ provider, reason: error.message }, "a social sign-in was refused");
      throw new ServiceError("SOCIAL_AUTH_FAILED", undefined, { reason: error.reason });
    }
  }

  /** The page that the callback redirects to; null if the callback responds in the envelope. */
  #pageOf(provider: string, { platform }: SignInState, content: CookieContent | null): string | null {
    if (content?.redirectTo != null) return content.redirectTo;
    return provider === "apple-id" && platform === "web" ? this.#config.social.appleWebCallbackUrl : null;
  }

  #requirePage(provider: string, { platform, redirectTo }: SignInOptions): void {
    const { appleWebCallbackUrl } = this.#config.social;
    if (provider !== "apple-id" || platform !== "web" || redirectTo !== null || appleWebCallbackUrl !== null)
      return;
    throw invalid([{ field: "platform", message: "web needs auth.apple_web_callback_url in the manifest" }]);
  }
}

/** The pages that a sign-in may redirect to. */
function pagesOf(config: Config): readonly string[] {
  const signInPage = signInPageOf(config);
  return signInPage === null ? config.social.redirectUrls : [...config.social.redirectUrls, signInPage];
}

function visitorOf({ name, row }: Provider, identity: SocialIdentity, answers: Answers): SocialVisitor {
  const { uid, email } = identity;
  return { provider: name, uid, identity, email, answers: storedAnswers(row.user, answers) };
}
