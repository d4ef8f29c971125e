import { join } from "node:path";
import type { Logger } from "pino";
import type { Cache } from "../cache/index.ts";
import type { BackgroundTasks } from "../concurrency/index.ts";
import type { Config } from "../config/index.ts";
import type { Database } from "../database/index.ts";
import { loadMailTemplates, type Mailer, type MailTemplates } from "../mail/index.ts";
import type { RateLimits } from "../rate-limit/index.ts";
import type { Accounts } from "../service.ts";
import { createSmsSender, type SmsSender } from "../sms/index.ts";
import { ApiKeyHashes } from "./api-keys/api-key.ts";
import { ApiKeyCache } from "./api-keys/api-key-cache.ts";
import { ApiKeys } from "./api-keys/api-keys.ts";
import { Authenticator } from "./authenticator.ts";
import type { Blacklist } from "./blacklist/blacklist.ts";
import { PostgresBlacklist } from "./blacklist/postgres-blacklist.ts";
import { RedisBlacklist } from "./blacklist/redis-blacklist.ts";
import { type MfaKeys, mfaKeys } from "./mfa/second-factor.ts";
import { OneTimeCodes } from "./otp/one-time-codes.ts";
import { PasswordQueue } from "./passwords/password-queue.ts";
import { AccessTokens } from "./tokens/access-token.ts";
import { RefreshTokens } from "./tokens/refresh-token.ts";
import { SignedLinks } from "./tokens/signed-link.ts";

/** What the accounts stand on. */
export interface AccountsOptions {
  readonly accounts: Accounts;
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  /** Null without `SERVICE_REDIS_URL`. */
  readonly cache: Cache | null;
  /** Null where no mail leaves the service. */
  readonly mailer: Mailer | null;
  readonly background: BackgroundTasks;
  readonly limits: RateLimits;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Everything that the routes of the accounts need, made once. */
export interface AccountServices extends AccountsOptions {
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly blacklist: Blacklist;
  readonly apiKeys: ApiKeys;
  readonly authenticator: Authenticator;
  readonly mfa: MfaKeys;
  readonly otp: OneTimeCodes;
  readonly passwords: PasswordQueue;
  /** Null without `SERVICE_AUTH_VERIFICATION_KEY`. */
  readonly links: SignedLinks | null;
  readonly mailTemplates: MailTemplates;
  /** Null where one-time codes cannot be sent. */
  readonly sms: SmsSender | null;
}

function blacklistOf({ cache, database, log }: AccountsOptions): Blacklist {
  return cache === null ? new PostgresBlacklist(database) : new RedisBlacklist(cache.client, database, log);
}

function apiKeysOf({ cache, database, config, log }: AccountsOptions): ApiKeys {
  const remembered = cache === null ? null : new ApiKeyCache(cache.client, log);
  return new ApiKeys(database, new ApiKeyHashes(config.secrets), remembered);
}

/** Links of our own follow `base_url` and `auth_prefix` (contract: "What the service does"). */
function linksOf({ secrets, baseUrl, authPrefix, auth }: Config): SignedLinks | null {
  if (secrets.verification === null) return null;
  return new SignedLinks(secrets.verification, {
    verifyEmail: `${baseUrl}${authPrefix}/verify-email`,
    resetPassword: auth.forgotPasswordPageUrl,
  });
}

/** Makes the services of the accounts. */
export function accountServices(options: AccountsOptions): AccountServices {
  const { config, log } = options;
  const { accessTokenSeconds, refreshTokenSeconds, bcryptCost, cookieName } = config.auth;
  const accessTokens = new AccessTokens(config.secrets.jwt, accessTokenSeconds);
  const blacklist = blacklistOf(options);
  const apiKeys = apiKeysOf(options);
  const passwords = new PasswordQueue(bcryptCost);
  return {
    ...options,
    accessTokens,
    refreshTokens: new RefreshTokens(config.secrets.jwt, refreshTokenSeconds),
    blacklist,
    apiKeys,
    mfa: mfaKeys(config.secrets),
    otp: new OneTimeCodes(config.secrets.jwt),
    authenticator: new Authenticator({ accessTokens, blacklist, apiKeys, cookieName }),
    passwords,
    links: linksOf(config),
    mailTemplates: loadMailTemplates(join(config.root, "models", "mails")),
    sms: createSmsSender(config, log),
  };
}
