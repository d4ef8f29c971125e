import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { relative } from "node:path";
import { type AccountFeature, accountFeatures } from "../../../vocabulary/account-features.ts";
import { browserOrigin } from "../../../vocabulary/addresses.ts";
import { signInPath } from "../../../vocabulary/built-in-routes.ts";
import { missingPackages } from "../../../vocabulary/optional-packages.ts";
import { passkeyProblems, passkeySectionOf } from "../../../vocabulary/passkeys.ts";
import { type AuthSettings, authSettings, developmentSecret } from "./auth-settings.ts";
import { type EmailSettings, readEmail, readSms, type SmsSettings } from "./delivery.ts";
import { type DocsSettings, docsSettings } from "./docs-settings.ts";
import { ConfigError, type Environment, type LogFormat, readEnvironment } from "./environment.ts";
import type { Variables } from "./environment-variables.ts";
import { type LogLevel, labelOf, type Manifest, readManifest } from "./manifest.ts";
import { manifestConflicts } from "./manifest-conflicts.ts";
import { type McpSettings, mcpSettings } from "./mcp-settings.ts";
import { type MonitoringSettings, readMonitoring } from "./monitoring-settings.ts";
import { readSecrets, type SecretKeys, type Secrets, secretKey } from "./secret-keys.ts";
import { readSettings } from "./settings.ts";
import { readSocial, type SocialSettings } from "./social-settings.ts";
import { readStorage, type StorageSettings } from "./storage-settings.ts";
import { settingsWarnings } from "./warnings.ts";

const { resolve } = createRequire(import.meta.url);

/** The settings of a running service, checked and complete. Frozen. */
export interface Config {
  readonly name: string;
  readonly production: boolean;
  /** The project's folder; `var/kirak` is in it. */
  readonly root: string;
  readonly host: string;
  /** 0: the system chooses one. */
  readonly port: number;
  /** Public address, without a slash at the end. */
  readonly baseUrl: string;
  /** Path before the model routes: empty, or with a slash at the front and none at the end. */
  readonly servicePrefix: string;
  readonly authPrefix: string;
  readonly modules: readonly string[];
  /** Null for the embedded PostgreSQL of development. */
  readonly databaseUrl: string | null;
  /** The URL of PostgreSQL itself, if `databaseUrl` is that of a pooler. Otherwise equal to `databaseUrl`. */
  readonly databaseDirectUrl: string | null;
  /** False for a pooler that does not support named statements. */
  readonly databaseNamedStatements: boolean;
  readonly databasePoolSize: number;
  readonly redisUrl: string | null;
  readonly secrets: Secrets;
  readonly migrateOnStart: boolean;
  /** Null: readable lines on a terminal, otherwise JSON. */
  readonly logFormat: LogFormat | null;
  /** Null if no other origin can call. */
  readonly cors: {
    /** Exact origins, or `*` among them. */
    readonly origins: readonly string[];
    /** RE2 syntax; the whole origin must match. */
    readonly allowOriginRegex: string | null;
  } | null;
  readonly server: {
    readonly bodyLimitBytes: number;
    readonly bulkLimit: number;
    readonly maxEventLoopDelayMs: number;
    readonly shutdownTimeoutSeconds: number;
    /** Part of `shutdownTimeoutSeconds`, and at most that. */
    readonly drainSeconds: number;
    readonly logLevel: LogLevel;
  };
  readonly auth: AuthSettings;
  readonly social: SocialSettings;
  readonly email: EmailSettings;
  readonly sms: SmsSettings;
  readonly rateLimit: {
    readonly enabled: boolean;
    readonly defaultMaxRequests: number;
    readonly defaultWindowSeconds: number;
    readonly trustedProxyIps: readonly string[];
    /** How many leading bits of an IPv6 address identify a client. */
    readonly ipv6Prefix: number;
    /**
     * How long a request waits for the store of counters before it is served uncounted. Not in the manifest.
     */
    readonly longestWaitMs: number;
  };
  readonly jobs: {
    /** The number of jobs that the server runs at the same time; 0 for none. */
    readonly concurrency: number;
  };
  readonly graphql: {
    readonly maxDepth: number;
    readonly maxRootFields: number;
    readonly maxComplexity: number;
  };
  readonly docs: DocsSettings;
  /** Null if the module is off. */
  readonly storage: StorageSettings | null;
  /** Null if the module is off. */
  readonly mcp: McpSettings | null;
  /** Null if the module is off. */
  readonly monitoring: MonitoringSettings | null;
  /** The variables `SERVICE_SET_…` that are set, sorted. */
  readonly setByEnvironment: readonly string[];
  /** Hints for the operator, without secrets. */
  readonly warnings: readonly string[];
}

export interface ConfigSource {
  /** The project's folder. */
  readonly root: string;
  /** Absolute path of `models/manifest.json`. */
  readonly manifestPath: string;
  readonly environment: Variables;
}

/** Reads and checks the manifest and the environment. Throws a ConfigError that lists every problem. */
export function readConfig(source: ConfigSource): Config {
  const problems: string[] = [];
  const warnings: string[] = [];
  const label = relative(source.root, source.manifestPath);
  const settings = readSettings(source.environment, problems);
  const manifest = readManifest({ path: source.manifestPath, label, settings }, problems);
  const environment = readEnvironment(source.environment, problems, warnings);
  const { production } = environment;
  if (manifest !== null)
    problems.push(...manifestConflicts(manifest, production, (place) => labelOf(place, { label, settings })));
  const { jwt, ...secrets } = readSecrets(source.environment, { problems, warnings, production });
  const delivery =
    manifest === null ? null : readDelivery(manifest, environment, source, { problems, warnings });
  if (manifest === null || delivery === null || problems.length > 0)
    throw new ConfigError(problems, warnings);
  return deepFreeze({
    ...configOf(manifest, environment),
    ...delivery,
    root: source.root,
    secrets: { jwt: jwt ?? inventSecret(source.root, warnings), ...secrets },
    setByEnvironment: settings.map(({ variable }) => variable),
    warnings: [...warnings, ...settingsWarnings(environment, source.environment, secrets, delivery)],
  });
}

/**
 * The storage settings, for commands that need nothing else. Null if the module is off or there is no
 * manifest.
 */
export function readStorageSettings(source: ConfigSource): StorageSettings | null {
  const { root, manifestPath: path, environment } = source;
  if (!existsSync(path)) return null;
  const problems: string[] = [];
  const settings = readSettings(environment, problems);
  const manifest = readManifest({ path, label: relative(root, path), settings }, problems);
  if (manifest === null) throw new ConfigError(problems, []);
  const { modules, storage: section } = manifest;
  problems.push(...missingPackages({ modules, storage: section }, resolve));
  const storage = readStorage(manifest, source, problems);
  if (problems.length > 0) throw new ConfigError(problems, []);
  return storage;
}

function readDelivery(
  manifest: Manifest,
  environment: Environment,
  source: ConfigSource,
  { problems, warnings }: { readonly problems: string[]; readonly warnings: string[] },
): Pick<Config, "baseUrl" | "auth" | "social" | "email" | "sms" | "storage" | "monitoring"> {
  const { production } = environment;
  const baseUrl = (manifest.base_url ?? `http://localhost:${environment.port}`).replace(/\/+$/, "");
  problems.push(...missingPackages(manifest, resolve));
  const storage = readStorage(manifest, source, problems);
  const { manifestPath: path, root } = source;
  const label = relative(root, path);
  const passkeys = passkeySectionOf(manifest.auth.passkeys);
  for (const { key, message } of passkeys === null ? [] : passkeyProblems(passkeys, { baseUrl, production }))
    problems.push(`${label}: auth.passkeys.${key} ${message}`);
  return {
    baseUrl,
    auth: authSettings(manifest, baseUrl),
    social: readSocial(manifest, { ...source, production, baseUrl }, problems, warnings),
    email: readEmail(manifest, source.environment, baseUrl, problems),
    sms: readSms(manifest, source.environment, problems),
    storage,
    monitoring: readMonitoring(manifest, { ...source, storage }, problems),
  };
}

function inventSecret(root: string, warnings: string[]): SecretKeys {
  warnings.push(
    "SERVICE_AUTH_JWT_SECRET_KEY is not set: using the development secret in var/kirak/jwt-secret",
  );
  return [secretKey(developmentSecret(root))];
}

function configOf(
  manifest: Manifest,
  environment: Environment,
): Omit<
  Config,
  | "root"
  | "secrets"
  | "setByEnvironment"
  | "warnings"
  | "baseUrl"
  | "auth"
  | "social"
  | "email"
  | "sms"
  | "storage"
  | "monitoring"
> {
  const { server, rate_limit: limit, graphql, jobs } = manifest;
  return {
    ...environment,
    name: manifest.name,
    servicePrefix: manifest.service_prefix,
    authPrefix: manifest.auth_prefix,
    modules: manifest.modules,
    cors: corsOf(manifest.cors),
    server: {
      bodyLimitBytes: server.body_limit_bytes,
      bulkLimit: server.bulk_limit,
      maxEventLoopDelayMs: server.max_event_loop_delay_ms,
      shutdownTimeoutSeconds: server.shutdown_timeout_seconds,
      drainSeconds: drainSecondsOf(server, environment),
      logLevel: server.log_level,
    },
    rateLimit: {
      enabled: limit.enabled,
      defaultMaxRequests: limit.default_max_requests,
      defaultWindowSeconds: limit.default_window_seconds,
      trustedProxyIps: limit.trusted_proxy_ips,
      ipv6Prefix: limit.ipv6_prefix,
      longestWaitMs: 300,
    },
    jobs: { concurrency: jobs.concurrency },
    docs: docsSettings(manifest, environment.production),
    mcp: mcpSettings(manifest),
    graphql: {
      maxDepth: graphql.max_depth,
      maxRootFields: graphql.max_root_fields,
      maxComplexity: graphql.max_complexity,
    },
  };
}

/** In production, a load balancer must notice the stop first. In development, no one needs to wait. */
function drainSecondsOf(server: Manifest["server"], { production }: Environment): number {
  return server.drain_seconds ?? Math.min(production ? 2 : 0, server.shutdown_timeout_seconds);
}

function corsOf(cors: Manifest["cors"]): Config["cors"] {
  const allowOriginRegex = cors.allow_origin_regex ?? null;
  return cors.origins.length === 0 && allowOriginRegex === null
    ? null
    : { origins: cors.origins.map((text) => browserOrigin(text) ?? text), allowOriginRegex };
}

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === "object" && part !== null) deepFreeze(part);
  return Object.freeze(value);
}

/** The URL of the overview page; null in production, which does not serve it. */
export function overviewPageOf({
  production,
  baseUrl,
}: Pick<Config, "production" | "baseUrl">): string | null {
  return production ? null : `${baseUrl}/`;
}

/** The features that decide which account routes exist. */
export function accountFeaturesOf(
  config: Pick<Config, "auth" | "social" | "production">,
): Set<AccountFeature> {
  const { auth, social, production } = config;
  const socialProviders = social.providers.map(({ name }) => name);
  const features = accountFeatures({ ...auth, passkeys: auth.passkeys !== null, socialProviders });
  return production ? features : features.add("development");
}

/** The URL of the sign-in page for development; null in production, which does not serve it. */
export function signInPageOf({
  production,
  baseUrl,
  authPrefix,
}: Pick<Config, "production" | "baseUrl" | "authPrefix">): string | null {
  return production ? null : `${baseUrl}${authPrefix}${signInPath}`;
}
