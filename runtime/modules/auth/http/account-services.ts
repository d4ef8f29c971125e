import type { Logger } from "pino";
import type { Cache } from "../../../core/cache/index.ts";
import type { BackgroundTasks } from "../../../core/concurrency/index.ts";
import { accountFeaturesOf, type Config } from "../../../core/config/index.ts";
import type { Database } from "../../../core/database/index.ts";
import type { CrudServices, ModelEntry } from "../../../data/operations/index.ts";
import { PlanCache } from "../../../data/sql/index.ts";
import type { AppModules } from "../../../hooks/context/index.ts";
import type { Mailer, MailTemplates } from "../../mail/index.ts";
import type { RateLimits } from "../../rate-limit/index.ts";
import type { SmsSender } from "../../sms/index.ts";
import { ApiKeyCache } from "../api-keys/api-key-cache.ts";
import { ApiKeyHashes } from "../api-keys/api-key-hashes.ts";
import { ApiKeys } from "../api-keys/api-keys.ts";
import { type Blacklist, type IsCurrent, PostgresBlacklist } from "../blacklist/blacklist.ts";
import { RedisBlacklist } from "../blacklist/redis-blacklist.ts";
import { AccountEvents } from "../events/account-events.ts";
import { AccountNotices } from "../events/account-notices.ts";
import { AccountExports } from "../export/account-exports.ts";
import { LinkMail, MessageLimits } from "../links/link-mail.ts";
import { SignedLinks } from "../links/signed-link.ts";
import { mfaKeys } from "../mfa/second-factor.ts";
import { OneTimeCodes } from "../otp/one-time-codes.ts";
import { PhoneCodes } from "../otp/phone-codes.ts";
import { Passkeys } from "../passkeys/passkeys.ts";
import { PasswordQueue, type Passwords } from "../passwords/password-queue.ts";
import { PasswordRules } from "../passwords/password-rules.ts";
import { type Accounts, Registrations } from "../registration/registrations.ts";
import { Sessions } from "../sessions/sessions.ts";
import { SocialSignIn } from "../social/index.ts";
import { AccessTokens } from "../tokens/access-token.ts";
import { RefreshTokens } from "../tokens/refresh-tokens.ts";
import { AppColumns } from "../users/app-columns.ts";
import type { SignInSettings } from "../users/sign-in-ways.ts";
import { Authenticator } from "./authenticate.ts";
import { sessionCookiesOf } from "./session-cookies.ts";

/** The dependencies of the accounts. */
export interface AccountsOptions {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  readonly background: BackgroundTasks;
  readonly limits: RateLimits;
  readonly modules: AppModules;
  /** Milliseconds. */
  readonly now: () => number;
  readonly accounts: Accounts;
  /** All models, with those that have no routes. */
  readonly entries: readonly ModelEntry[];
  /** The models that callers can fetch. */
  readonly fetched: readonly ModelEntry[];
  /** The roles that an account can have. */
  readonly roles: ReadonlySet<string>;
  /** For operations on models. */
  readonly crud: CrudServices;
  /** Null without `SERVICE_REDIS_URL`. */
  readonly cache: Cache | null;
  /** Null without a mail provider. */
  readonly mailer: Mailer | null;
  /** Null without an SMS provider. */
  readonly sms: SmsSender | null;
  readonly templates: MailTemplates;
  /** Resolves the hosts of social providers; only for tests, which simulate the providers. */
  readonly resolveProvider?: ((url: URL) => URL) | undefined;
}

/** The services of the account routes. Code outside `http/` takes only the services that it uses. */
export type AccountServices = Readonly<ReturnType<typeof accountServices>>;

/** Null without `SERVICE_AUTH_VERIFICATION_KEY`. */
function linksOf({ secrets, baseUrl, authPrefix, auth }: Config): SignedLinks | null {
  if (secrets.verification === null) return null;
  return new SignedLinks(secrets.verification, auth.invitationDays, {
    verifyEmail: `${baseUrl}${authPrefix}/verify-email`,
    resetPassword: auth.forgotPasswordPageUrl,
    changeEmail: auth.changeEmailPageUrl,
    invitation: auth.invitationPageUrl,
  });
}

/** The settings that decide which ways to sign in work. */
function signInSettings(
  { auth, social }: Config,
  { sms, mailer }: Pick<AccountsOptions, "sms" | "mailer">,
): SignInSettings {
  return {
    emailVerificationRequired: auth.emailVerificationRequired,
    phone: sms !== null,
    emailCodes: auth.emailCodes && mailer !== null,
    passkeys: auth.passkeys !== null,
    providers: new Set(social.providers.map(({ name }) => name)),
  };
}

/** Makes the services of the accounts. */
export function accountServices(options: AccountsOptions) {
  const { accounts, cache, config, database, log, background, limits, mailer, modules, now, sms } = options;
  const { auth, secrets } = config;
  const passwords: Passwords = new PasswordQueue(auth.bcryptCost);
  const passwordRules = new PasswordRules(config);
  const registrations = new Registrations(accounts, {
    isOpen: auth.registration,
    passwords: passwordRules,
    hash: (password, share) => passwords.hash(password, share),
  });
  const accessTokens = new AccessTokens(secrets.jwt, auth.accessTokenSeconds);
  const refreshTokens = new RefreshTokens({ keys: secrets.jwt, longest: auth.refreshTokenSeconds });
  const isCurrent: IsCurrent = (token, account) => accessTokens.isCurrent(token, account);
  const blacklist: Blacklist =
    cache === null
      ? new PostgresBlacklist(database, isCurrent)
      : new RedisBlacklist(cache.client, database, isCurrent, log);
  const apiKeyCache = cache === null ? null : new ApiKeyCache(cache.client, log);
  const apiKeys = new ApiKeys(database, new ApiKeyHashes(secrets), apiKeyCache);
  const { after_login: afterLogin, after_social_callback: afterCallback } = accounts.hooks;
  const sessions = new Sessions({
    accessTokens,
    refreshTokens,
    refreshTokenSeconds: auth.refreshTokenSeconds,
    longestSeconds: auth.longestSessionSeconds,
    storesAddresses: auth.storesSessionAddresses,
    afterLogin,
    now,
  });
  const shared = { config, database, log, background, limits, modules, now, sms, registrations, sessions };
  const linkMail = new LinkMail({
    canSign: secrets.verification !== null,
    mailer,
    templates: options.templates,
    service: config.name,
    placeholderDomain: config.social.placeholderDomain,
    invitationDays: auth.invitationDays,
  });
  const credentials = { accessTokens, refreshTokens, blacklist, apiKeys };
  const cookies = sessionCookiesOf(config);
  const columns = new AppColumns(accounts, (password, share) => passwords.hash(password, share));
  // Separate plans: statements about accounts and exports have the same shapes as those of requests.
  const crud = { ...options.crud, plans: new PlanCache() };
  const signIn = { ...shared, ...credentials, afterCallback, resolveProvider: options.resolveProvider };
  const social = new SocialSignIn(signIn);
  return {
    ...shared,
    ...credentials,
    cookies,
    /** They decide which routes, and which keys of their bodies, exist. */
    features: accountFeaturesOf(config),
    passwords,
    passwordRules,
    authenticator: new Authenticator({ ...credentials, cookie: cookies.access }),
    mfa: mfaKeys(secrets),
    otp: new OneTimeCodes(secrets.jwt, "phone"),
    emailCodes: new OneTimeCodes(secrets.jwt, "email"),
    phoneCodes: new PhoneCodes(secrets.jwt),
    /** The columns that the app adds to `users`. */
    columns,
    /** Null without `SERVICE_AUTH_VERIFICATION_KEY`. */
    links: linksOf(config),
    linkMail,
    /** Null if they are off. */
    passkeys:
      auth.passkeys === null ? null : new Passkeys({ jwtSecret: secrets.jwt, site: auth.passkeys, now }),
    events: new AccountEvents(),
    notices: new AccountNotices({
      mail: linkMail,
      background,
      isOn: auth.securityNotices,
      replyTo: config.email.replyTo,
      showsAddresses: auth.storesSessionAddresses,
      now,
    }),
    ways: signInSettings(config, options),
    recentSeconds: auth.recentSeconds,
    hooks: accounts.hooks,
    accounts,
    models: options.entries.map(({ model }) => model),
    roles: options.roles,
    crud,
    exports: new AccountExports({
      ...{ database, crud, columns, social, now },
      fetched: options.fetched,
      poolSize: config.databasePoolSize,
    }),
    hasUserFiles: config.storage?.scope === "user",
    messageLimits: new MessageLimits({
      limiter: limits.alwaysOn,
      mailsPerRecipient: config.email.hourlyLimitPerRecipient,
      smsPerAddress: config.sms.hourlyLimitPerAddress,
    }),
    social,
  };
}
