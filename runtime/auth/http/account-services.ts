import type { Logger } from "pino";
import type { Cache } from "../../cache/index.ts";
import type { BackgroundTasks } from "../../concurrency/index.ts";
import type { Config } from "../../config/index.ts";
import type { CodeModules } from "../../context/index.ts";
import type { Database } from "../../database/index.ts";
import { credentialedOrigins } from "../../http/index.ts";
import type { Mailer, MailTemplates } from "../../mail/index.ts";
import type { RateLimits } from "../../rate-limit/index.ts";
import type { SmsSender } from "../../sms/index.ts";
import { ApiKeyCache, ApiKeyHashes, ApiKeys } from "../api-keys/api-keys.ts";
import { type Blacklist, type IsCurrent, PostgresBlacklist } from "../blacklist/blacklist.ts";
import { RedisBlacklist } from "../blacklist/redis-blacklist.ts";
import { LinkMail, MessageLimits } from "../links/link-mail.ts";
import { SignedLinks } from "../links/signed-link.ts";
import { type MfaKeys, mfaKeys } from "../mfa/second-factor.ts";
import { OneTimeCodes } from "../otp/one-time-codes.ts";
import { PasswordQueue, type Passwords } from "../passwords/password-queue.ts";
import { type Accounts, Registrations } from "../registration/registrations.ts";
import { Sessions } from "../sessions/sessions.ts";
import { SocialSignIn } from "../social/index.ts";
import { AccessTokens } from "../tokens/access-token.ts";
import { RefreshTokens } from "../tokens/stored-tokens.ts";
import { type AuthCookie, Authenticator } from "./authenticate.ts";

/** What the service around them gives to the routes of the accounts. */
interface Surroundings {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  readonly background: BackgroundTasks;
  readonly limits: RateLimits;
  readonly modules: CodeModules;
  /** Milliseconds. */
  readonly now: () => number;
}

/** What the accounts stand on. */
export interface AccountsOptions extends Surroundings {
  readonly accounts: Accounts;
  /** Null without `SERVICE_REDIS_URL`. */
  readonly cache: Cache | null;
  /** Null where no mail leaves the service. */
  readonly mailer: Mailer | null;
  /** Null where no text message does. */
  readonly sms: SmsSender | null;
  readonly templates: MailTemplates;
  /** Where the hosts of social providers are found; for tests alone, which play them. */
  readonly resolveProvider?: ((url: URL) => URL) | undefined;
}

/** Everything that the routes of the accounts need, made once. Nothing below HTTP takes it: each takes what it uses. */
export interface AccountServices extends Surroundings {
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly blacklist: Blacklist;
  readonly apiKeys: ApiKeys;
  readonly authenticator: Authenticator;
  readonly mfa: MfaKeys;
  readonly otp: OneTimeCodes;
  readonly passwords: Passwords;
  readonly registrations: Registrations;
  readonly sessions: Sessions;
  /** Null without `SERVICE_AUTH_VERIFICATION_KEY`. */
  readonly links: SignedLinks | null;
  readonly linkMail: LinkMail;
  readonly messageLimits: MessageLimits;
  /** Null where one-time codes cannot be sent. */
  readonly sms: SmsSender | null;
  readonly social: SocialSignIn;
}

function blacklistOf({ cache, database, log }: AccountsOptions, accessTokens: AccessTokens): Blacklist {
  const isCurrent: IsCurrent = (token, account) => accessTokens.isCurrent(token, account);
  return cache === null
    ? new PostgresBlacklist(database, isCurrent)
    : new RedisBlacklist(cache.client, database, isCurrent, log);
}

function apiKeysOf({ cache, database, config, log }: AccountsOptions): ApiKeys {
  const remembered = cache === null ? null : new ApiKeyCache(cache.client, log);
  return new ApiKeys(database, new ApiKeyHashes(config.secrets), remembered);
}

function registrationsOf({ accounts, config }: AccountsOptions, passwords: Passwords): Registrations {
  const { passwordComplexity: complexity } = config.auth;
  return new Registrations(accounts, {
    complexity,
    hash: (password, share) => passwords.hash(password, share),
  });
}

/** Links of our own follow `base_url` and `auth_prefix` (contract: "What the service does"). */
function linksOf({ secrets, baseUrl, authPrefix, auth }: Config): SignedLinks | null {
  if (secrets.verification === null) return null;
  return new SignedLinks(secrets.verification, {
    verifyEmail: `${baseUrl}${authPrefix}/verify-email`,
    resetPassword: auth.forgotPasswordPageUrl,
  });
}

function linkMailOf({ config, mailer, templates }: AccountsOptions): LinkMail {
  const canSign = config.secrets.verification !== null;
  const { placeholderDomain } = config.social;
  return new LinkMail({ canSign, mailer, templates, service: config.name, placeholderDomain });
}

/** The origin of `base_url` and those of `cors` can act with the cookie. */
function cookieOf({ auth: { cookieName: name }, baseUrl, cors }: Config): AuthCookie | null {
  if (name === null) return null;
  const { origin: own } = new URL(baseUrl);
  const isAllowed = credentialedOrigins(cors);
  return { name, allowsOrigin: (origin) => origin === own || isAllowed(origin) };
}

/** What makes and checks credentials. */
function credentialsOf(options: AccountsOptions) {
  const { accounts, config, now } = options;
  const { secrets, auth } = config;
  const accessTokens = new AccessTokens(secrets.jwt, auth.accessTokenSeconds);
  const refreshTokens = new RefreshTokens(secrets.jwt, auth.refreshTokenSeconds);
  const { after_login: afterLogin } = accounts.hooks;
  const blacklist = blacklistOf(options, accessTokens);
  const apiKeys = apiKeysOf(options);
  return {
    accessTokens,
    refreshTokens,
    blacklist,
    apiKeys,
    authenticator: new Authenticator({ accessTokens, blacklist, apiKeys, cookie: cookieOf(config) }),
    sessions: new Sessions({ accessTokens, refreshTokens, afterLogin, now }),
  };
}

/** Makes the services of the accounts. */
export function accountServices(options: AccountsOptions): AccountServices {
  const { config, database, log, background, limits, modules, now } = options;
  const passwords = new PasswordQueue(config.auth.bcryptCost);
  const registrations = registrationsOf(options, passwords);
  const credentials = credentialsOf(options);
  return {
    config,
    database,
    log,
    background,
    limits,
    modules,
    now,
    ...credentials,
    mfa: mfaKeys(config.secrets),
    otp: new OneTimeCodes(config.secrets.jwt),
    passwords,
    registrations,
    links: linksOf(config),
    linkMail: linkMailOf(options),
    messageLimits: new MessageLimits({
      limiter: limits.alwaysOn,
      mailsPerRecipient: config.email.hourlyLimitPerRecipient,
      smsPerAddress: config.sms.hourlyLimitPerAddress,
    }),
    sms: options.sms,
    social: new SocialSignIn({
      config,
      database,
      registrations,
      ...credentials,
      afterCallback: options.accounts.hooks.after_social_callback,
      resolveProvider: options.resolveProvider,
      now,
    }),
  };
}
