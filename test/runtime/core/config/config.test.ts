import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { beforeEach, describe, expect, test } from "vitest";
import { secretLines } from "#cli/secrets/secret-lines";
import { ConfigError, readConfig, readDatabaseUrl } from "#runtime/core/config/index";
import { compiled } from "../../../support/compiled.ts";
import { configFolder, type Variables } from "../../../support/config-folder.ts";

let { root, manifestPath, read, problemsOf } = configFolder();
// The secret of development stays in a folder: each test has a folder of its own.
beforeEach(() => {
  ({ root, manifestPath, read, problemsOf } = configFolder());
});

const production: Variables = {
  NODE_ENV: "production",
  SERVICE_DATABASE_URL: "postgres://u:p@db/app",
  SERVICE_AUTH_JWT_SECRET_KEY: "s".repeat(32),
};

/** A service that sends no mails, by its configuration. */
const unmailed = expect.stringContaining("users who register cannot sign in");

/** For keys that fall back to the JWT secret. */
const fallbacks = [
  expect.stringMatching(/^SERVICE_AUTH_API_KEY_SECRET is not set: API keys are hashed with the JWT secret/),
  expect.stringMatching(/^SERVICE_AUTH_ENCRYPTION_KEY is not set: TOTP secrets are encrypted with the JWT/),
];

test("an empty manifest gives the defaults, frozen", () => {
  const config = read({});
  // biome-ignore format: many a line
  expect(config).toMatchObject({
    production: false, host: "0.0.0.0", port: 3000, baseUrl: "http://localhost:3000", servicePrefix: "",
    authPrefix: "/auth", modules: [], databaseUrl: null, redisUrl: null, migrateOnStart: true, cors: null,
    server: {
      bodyLimitBytes: 1_048_576, bulkLimit: 1000, shutdownTimeoutSeconds: 10, drainSeconds: 0,
      logLevel: "info",
    },
    auth: { cookieName: null, bcryptCost: 12 },
    rateLimit: {
      enabled: true, defaultMaxRequests: 100, defaultWindowSeconds: 60, trustedProxyIps: [], ipv6Prefix: 64,
    },
    graphql: { maxDepth: 8, maxRootFields: 20, maxComplexity: 1000 },
  });
  expect(Object.isFrozen(config) && Object.isFrozen(config.server) && Object.isFrozen(config.modules)).toBe(
    true,
  );
});

test("connections are accepted for a while after SIGTERM: in production unless the manifest changes it, and within the shutdown", () => {
  const drain = (server: object, environment: Variables = {}) =>
    read({ base_url: "https://x.example", server }, environment).server.drainSeconds;
  expect(drain({}, production)).toBe(2);
  expect(drain({ shutdown_timeout_seconds: 1 }, production)).toBe(1);
  expect(drain({ drain_seconds: 0 }, production)).toBe(0);
  expect(drain({ drain_seconds: 0.5 })).toBe(0.5);
  expect(drain({ drain_seconds: 10 })).toBe(10);
  expect(problemsOf({ server: { drain_seconds: 10.5 } })).toEqual([
    "models/manifest.json: server.drain_seconds must be at most server.shutdown_timeout_seconds",
  ]);
  expect(problemsOf({ server: { drain_seconds: -1 } })).toEqual([
    "models/manifest.json: server.drain_seconds must be at least 0",
  ]);
});

test("the manifest and the environment are taken over", () => {
  // biome-ignore format: many a line
  const manifest = {
    $schema: "../schemas/manifest.schema.json", name: "shop", base_url: "https://api.example.com",
    service_prefix: "/api", auth_prefix: "/account", modules: ["storage"],
    auth: { cookie_name: "token", bcrypt_cost: 10 },
    cors: { origins: ["https://example.com"], allow_origin_regex: "https://.*\\.example\\.com" },
    rate_limit: {
      enabled: false, default_max_requests: 7, default_window_seconds: 90,
      trusted_proxy_ips: ["10.0.0.1", "fd00::/8"],
    },
    server: { bulk_limit: 5 },
  };
  const environment = {
    ...production,
    PORT: "0",
    HOST: "::1",
    SERVICE_MIGRATE_ON_START: "false",
    SERVICE_REDIS_URL: "redis://r",
  };
  // biome-ignore format: many a line
  expect(read(manifest, environment)).toMatchObject({
    name: "shop", production: true, host: "::1", port: 0, baseUrl: "https://api.example.com",
    servicePrefix: "/api", authPrefix: "/account", modules: ["storage"], databaseUrl: "postgres://u:p@db/app",
    redisUrl: "redis://r", migrateOnStart: false, auth: { cookieName: "token", bcryptCost: 10 },
    cors: { origins: ["https://example.com"], allowOriginRegex: "https://.*\\.example\\.com" },
    rateLimit: {
      enabled: false, defaultMaxRequests: 7, defaultWindowSeconds: 90,
      trustedProxyIps: ["10.0.0.1", "fd00::/8"],
    },
    server: { bulkLimit: 5, bodyLimitBytes: 1_048_576 }, warnings: [...fallbacks, unmailed],
  });
});

test("the module mcp is off unless the manifest lists it; instructions can come from the environment", () => {
  const instructions = "Ask before you cancel an order.";
  expect(read({ mcp: { instructions } }).mcp).toBeNull();
  expect(read({ modules: ["mcp"] }).mcp).toEqual({ instructions: null });
  expect(read({ modules: ["mcp"], mcp: { instructions } }).mcp).toEqual({ instructions });
  expect(read({ modules: ["mcp"] }, { SERVICE_SET_MCP__INSTRUCTIONS: instructions }).mcp).toEqual({
    instructions,
  });
  expect(read({ modules: ["mcp"], mcp: { instructions: "x".repeat(2000) } }).mcp).toMatchObject({});
  expect(problemsOf({ mcp: { instructions: "x".repeat(2001) } })).toEqual([
    expect.stringContaining("mcp.instructions"),
  ]);
});

test.each([
  ["https://APP.Example", "https://app.example"],
  ["https://app.example:443", "https://app.example"],
  ["http://app.example:080", "http://app.example"],
  ["https://app.example:8443", "https://app.example:8443"],
  ["https://bücher.example", "https://xn--bcher-kva.example"],
  ["Capacitor://localhost", "capacitor://localhost"],
  ["http://[::0001]:3000", "http://[::1]:3000"],
])("browsers send the origin %s as %s", (origin, sent) => {
  expect(read({ cors: { origins: [origin] } }).cors?.origins).toEqual([sent]);
});

test.each(["prod", "Production", "production "])(
  "NODE_ENV %j is not production, and a start logs that",
  (mode) => {
    const { production: is, warnings } = read({}, { NODE_ENV: mode });
    expect(is).toBe(false);
    expect(warnings.join()).toContain(`NODE_ENV is ${JSON.stringify(mode)}, which counts as development`);
  },
);

describe("problems", () => {
  test.each(["proxy", "10.0.0.1/33", "10.0.0.0/", "::1/129", "[::1]", "fe80::1%eth0", "*"])(
    "a trusted proxy that is no address: %j",
    (proxy) => {
      const manifest = { rate_limit: { trusted_proxy_ips: ["10.0.0.1", "fd00::/8", proxy] } };
      expect(problemsOf(manifest)).toEqual([
        `models/manifest.json: rate_limit.trusted_proxy_ips holds ${JSON.stringify(proxy)}, not an address such as "10.0.0.1", "10.0.0.0/8" or "fd00::/8"`,
      ]);
    },
  );

  test.each([
    "https://*.example.org",
    "https://a.example:99999",
    "https://user@a.example",
    "https://a.example?b",
  ])("an origin that no browser sends: %j", (origin) => {
    expect(problemsOf({ cors: { origins: ["https://a.example", origin] } })).toEqual([
      `models/manifest.json: cors.origins holds ${JSON.stringify(origin)}, which is not an origin, such as "https://www.example.com"; cors.allow_origin_regex takes patterns`,
    ]);
  });

  test("trusted proxies that are not a list of texts", () => {
    const problems = (ips: unknown) => problemsOf({ rate_limit: { trusted_proxy_ips: ips } });
    expect(problems("10.0.0.1")).toEqual([
      "models/manifest.json: rate_limit.trusted_proxy_ips must be array",
    ]);
    expect(problems([1])).toEqual(["models/manifest.json: rate_limit.trusted_proxy_ips.0 must be string"]);
  });

  test("all of them are reported together, unknown keys with the nearest known one", () => {
    const manifest = { nam: "x", server: { bulk_limt: 1, log_level: "loud" }, modules: ["storag"] };
    expect(problemsOf(manifest, { PORT: "70000", SERVICE_MIGRATE_ON_START: "perhaps" })).toEqual([
      'models/manifest.json: unknown key "nam"; did you mean "name"?',
      "models/manifest.json: modules.0 must be one of storage, monitoring, mcp",
      'models/manifest.json: unknown key "server.bulk_limt"; did you mean "bulk_limit"?',
      expect.stringMatching(/^models\/manifest\.json: server\.log_level must be one of trace, debug, /),
      "PORT must be a whole number from 0 to 65535",
      "SERVICE_MIGRATE_ON_START must be true or false",
    ]);
  });

  test.each([".", "a..b", "-a.example.com", "a-.example.com", `${"a".repeat(64)}.com`])(
    "a cookie domain that no cookie can have: %s",
    (cookie_domain) => {
      expect(problemsOf({ auth: { cookie_name: "token", cookie_domain } })).toEqual([
        expect.stringContaining("auth.cookie_domain must match"),
      ]);
    },
  );

  test("a domain with a cookie name that forbids one", () => {
    const refused = [
      "models/manifest.json: auth.cookie_domain must be left out: browsers refuse a __Host- cookie with a domain",
    ];
    const auth = { cookie_name: "__host-token", cookie_domain: "example.com" };
    expect(problemsOf({ auth })).toEqual(refused);
    expect(read({ auth: { cookie_name: "__Host-token" } }).auth.cookieName).toBe("__Host-token");
    expect(read({ auth: { ...auth, cookie_name: "__Secure-token" } }).auth.cookieDomain).toBe("example.com");
  });

  // biome-ignore format: one case a line
  test.each([
    [{ cookie_name: "a", refresh_cookie_name: "__host-b" }, "must not begin with __Host-: browsers refuse such a cookie, because its path is not /"],
    [{ refresh_cookie_name: "b" }, "needs auth.cookie_name: browsers get both cookies together"],
    [{ cookie_name: "a", refresh_cookie_name: "a" }, "must not be the name of auth.cookie_name"],
  ])("a refresh cookie that cannot work: %j", (auth, problem) => {
    expect(problemsOf({ auth })).toEqual([`models/manifest.json: auth.refresh_cookie_name ${problem}`]);
  });

  test("production needs a database, a secret and a base_url, and the error names the missing ones", () => {
    expect(problemsOf({}, { NODE_ENV: "production", SERVICE_DATABASE_URL: "" })).toEqual([
      "SERVICE_DATABASE_URL is not set, and NODE_ENV=production needs it",
      "SERVICE_AUTH_JWT_SECRET_KEY is not set, and NODE_ENV=production needs it",
      "models/manifest.json: base_url is missing, and NODE_ENV=production needs it: set it there, or SERVICE_SET_BASE_URL",
    ]);
    expect(readdirSync(root)).toEqual(["models"]);
  });

  // biome-ignore format: one case a line
  test.each([
    ["", {}, /cannot be read/],
    ["[]", {}, /must hold a JSON object/],
    ['{"server": []}', {}, /server must be object/],
    [{ cors: { allow_origin_regex: "(" } }, {}, /RE2/],
    [{ cors: { allow_origin_regex: "(?=a)" } }, {}, /RE2/],
    [{ base_url: "https://x.example/" }, {}, /base_url/],
    [{}, { PORT: "80a" }, /^PORT/],
    [{}, { SERVICE_DATABASE_DIRECT_URL: "postgres://u:hidden@x" }, /^SERVICE_DATABASE_DIRECT_URL is set, and SERVICE_DATABASE_URL is not$/],
    [{}, { SERVICE_DATABASE_NAMED_STATEMENTS: "perhaps" }, /^SERVICE_DATABASE_NAMED_STATEMENTS must be true or false$/],
    [{}, { SERVICE_DATABASE_URL: "mysql://u:hidden@x" }, /^SERVICE_DATABASE_URL must be a URL that begins with postgres:(?!.*hidden)/],
    [{}, { SERVICE_REDIS_URL: "http://r" }, /^SERVICE_REDIS_URL/],
    [{}, { SERVICE_DATABASE_POOL_SIZE: "0" }, /^SERVICE_DATABASE_POOL_SIZE/],
    [{}, { SERVICE_LOG_FORMAT: "text" }, /^SERVICE_LOG_FORMAT must be json or pretty$/],
    [{ base_url: "https://x.example" }, { ...production, SERVICE_AUTH_JWT_SECRET_KEY: "short" }, /too short.*32 bytes/],
  ])("%j with %j", (manifest, environment, expected) => {
    expect(problemsOf(manifest, environment)).toEqual([expect.stringMatching(expected)]);
  });

  test("a missing manifest", () => {
    expect(() => readConfig({ root, manifestPath, environment: {} })).toThrow(
      /models\/manifest\.json cannot be read/,
    );
  });
});

test("warnings: a mistyped variable, a short secret in development", () => {
  const { warnings } = read({}, { SERVICE_DATABSE_URL: "x", SERVICE_AUTH_JWT_SECRET_KEY: "short" });
  expect(warnings).toEqual([
    'SERVICE_DATABSE_URL is not a variable of this service; did you mean "SERVICE_DATABASE_URL"?',
    "SERVICE_AUTH_JWT_SECRET_KEY is too short: it needs at least 32 bytes",
    ...fallbacks,
    unmailed,
  ]);
});

describe.each(["JWT_SECRET_KEY", "API_KEY_SECRET", "VERIFICATION_KEY", "ENCRYPTION_KEY"])(
  "%s_PREVIOUS",
  (name) => {
    const variable = `SERVICE_AUTH_${name}`;
    const [current, previous] = ["c".repeat(32), "p".repeat(32)];
    const problems = (variables: Readonly<Record<string, string>>) => problemsOf({}, variables);

    test("is read as a second key, and the start warns about it", () => {
      const { secrets, warnings } = read({}, { [variable]: current, [`${variable}_PREVIOUS`]: previous });
      const { jwt, apiKey, verification, encryption } = secrets;
      const keys = {
        JWT_SECRET_KEY: jwt,
        API_KEY_SECRET: apiKey,
        VERIFICATION_KEY: verification,
        ENCRYPTION_KEY: encryption,
      }[name];
      expect(keys?.map((key) => key.export().toString())).toEqual([current, previous]);
      expect(warnings.filter((warning) => warning.includes("PREVIOUS"))).toEqual([
        `${variable}_PREVIOUS is set: what was made with this secret still works. Remove it when nothing needs it (kirak secrets check)`,
      ]);
    });

    test("stops the start if it is short, equal, or without the current one, also in development", () => {
      expect(problems({ [variable]: current, [`${variable}_PREVIOUS`]: "short" })).toEqual([
        `${variable}_PREVIOUS is too short: it needs at least 32 bytes`,
      ]);
      expect(problems({ [variable]: current, [`${variable}_PREVIOUS`]: current })).toEqual([
        `${variable}_PREVIOUS has the value of ${variable}: set the value before it, or remove it`,
      ]);
      expect(problems({ [variable]: "", [`${variable}_PREVIOUS`]: previous })).toEqual([
        `${variable}_PREVIOUS is set, and ${variable} is not`,
      ]);
    });
  },
);

test("a value of the wrong form comes with the right one", () => {
  const auth = { bcrypt_cost: 1, cookie_name: "a b", email_verification_required: "no" };
  expect(problemsOf({ base_url: "https://a.example/", auth })).toEqual([
    expect.stringMatching(/base_url must match \^https.*, such as "https:\/\/api\.example\.com"$/),
    expect.stringMatching(/auth\.bcrypt_cost must be at least \d+$/),
    expect.stringMatching(/auth\.email_verification_required must be boolean$/),
    expect.stringMatching(/auth\.cookie_name must match .*, such as "access_token"$/),
  ]);
});

test("secrets of `npm run secrets` for parts that do not exist yet cause no warning", () => {
  const { warnings } = read({ email: { provider: "log" } }, parseEnv(secretLines()));
  expect(warnings).toEqual([]);
});

describe("accounts", () => {
  test("defaults: an hour, fourteen days, complex passwords, the built-in page after auth_prefix", () => {
    expect(read({ base_url: "https://api.example.com", auth_prefix: "/account" }).auth).toEqual({
      accessTokenSeconds: 3600,
      refreshTokenSeconds: 14 * 86_400,
      changeEmailPageUrl: "https://api.example.com/account/change-email",
      registration: true,
      securityNotices: true,
      administration: true,
      invitationDays: 7,
      invitationPageUrl: "https://api.example.com/account/accept-invitation",
      passwordComplexity: true,
      refuseCommonPasswords: false,
      bcryptCost: 12,
      emailVerificationRequired: true,
      forgotPasswordPageUrl: "https://api.example.com/account/forgot-password",
      selfService: ["profile", "email", "phone", "password", "sessions", "providers"],
      emailCodes: false,
      passkeys: null,
      recentSeconds: 600,
      longestSessionSeconds: null,
      storesSessionAddresses: true,
      cookieName: null,
      refreshCookieName: null,
      cookieDomain: null,
    });
  });

  test("minutes go before hours", () => {
    const lifeOf = (auth: object) => read({ auth }).auth.accessTokenSeconds;
    expect(lifeOf({ access_token_expire_hours: 2 })).toBe(7200);
    expect(lifeOf({ access_token_expire_hours: 2, access_token_expire_minutes: 5 })).toBe(300);
  });

  test("each setting is taken over", () => {
    const auth = {
      access_token_expire_minutes: 5,
      refresh_token_expire_days: 2,
      password_complexity: false,
      refuse_common_passwords: true,
      bcrypt_cost: 10,
      email_verification_required: false,
      forgot_password_page_url: "https://www.example.com/reset?lang=en",
      change_email_page_url: "https://www.example.com/confirm#email",
      registration: false,
      security_notices: false,
      administration: false,
      invitation_days: 3,
      invitation_page_url: "https://www.example.com/welcome",
      self_service: ["sessions"],
      email_codes: true,
      passkeys: { rp_id: "example.com", rp_name: "Shop", origins: ["https://www.example.com"] },
      reauthentication_minutes: 5,
      session_max_days: 30,
      session_addresses: false,
      cookie_name: "session",
      cookie_domain: "example.com",
      refresh_cookie_name: "refresh",
    };
    // biome-ignore format: many a line
    expect(read({ auth, auth_prefix: "/account" }).auth).toEqual({
      accessTokenSeconds: 300, refreshTokenSeconds: 2 * 86_400, passwordComplexity: false, refuseCommonPasswords: true, bcryptCost: 10,
      emailVerificationRequired: false, forgotPasswordPageUrl: "https://www.example.com/reset?lang=en",
      changeEmailPageUrl: "https://www.example.com/confirm#email", registration: false, securityNotices: false,
      administration: false, invitationDays: 3, invitationPageUrl: "https://www.example.com/welcome",
      selfService: ["sessions"], recentSeconds: 300, longestSessionSeconds: 30 * 86_400, storesSessionAddresses: false,
      cookieName: "session", refreshCookieName: "refresh", cookieDomain: "example.com", emailCodes: true,
      passkeys: { rpId: "example.com", rpName: "Shop", origins: ["https://www.example.com"] },
    });
  });

  test("passkeys belong to the host of base_url by default", () => {
    const manifest = { name: "shop", base_url: "https://api.example.com/v1", auth: { passkeys: true } };
    const origins = ["https://api.example.com"];
    expect(read(manifest).auth.passkeys).toEqual({ rpId: "api.example.com", rpName: "shop", origins });
    expect(read({ auth: { passkeys: {} } }, { PORT: "4321" }).auth.passkeys).toMatchObject({
      rpId: "localhost",
      origins: ["http://localhost:4321"],
    });
    expect(read({ auth: { passkeys: false } }).auth.passkeys).toBeNull();
    const hash = `android:apk-key-hash:${"x".repeat(43)}`;
    const apps = { rp_id: "example.com", origins: [hash, "https://example.com", "http://localhost:5173"] };
    expect(problemsOf({ ...manifest, auth: { passkeys: apps } })).toEqual([
      'models/manifest.json: auth.passkeys.origins has "http://localhost:5173", whose host is not auth.passkeys.rp_id "example.com", and not a subdomain of it',
    ]);
  });

  // biome-ignore format: one case a line
  test.each<[base_url: string, passkeys: object, problem: string]>([
    ["https://203.0.113.7", {}, 'rp_id is "203.0.113.7", an IP address: passkeys need a domain'],
    ["https://[2001:db8::1]", {}, 'rp_id is "[2001:db8::1]", an IP address: passkeys need a domain'],
    ["https://intranet", {}, 'rp_id is "intranet", which has no dot: passkeys need a whole domain'],
    ["https://a.example", { rp_id: "A.example" }, 'rp_id is "A.example", which is not a domain in lower case, such as example.com'],
    ["https://a.example", { rp_id: "https://a.example" }, 'rp_id is "https://a.example", which is not a domain in lower case, such as example.com'],
    ["https://a.example", { rp_id: "b.example" }, 'origins has "https://a.example", whose host is not auth.passkeys.rp_id "b.example", and not a subdomain of it'],
    ["https://ba.example", { rp_id: "a.example" }, 'origins has "https://ba.example", whose host is not auth.passkeys.rp_id "a.example", and not a subdomain of it'],
    ["https://a.example", { origins: ["http://a.example"] }, 'origins has "http://a.example", which needs https (or http at localhost)'],
    ["https://a.example", { origins: ["https://a.example/"] }, 'origins has "https://a.example/", which is not an origin, such as https://www.example.com or android:apk-key-hash:<hash>'],
    ["https://a.example", { origins: ["https://a.example:443"] }, 'origins has "https://a.example:443", which is not an origin, such as https://www.example.com or android:apk-key-hash:<hash>'],
    ["https://a.example", { origins: ["android:apk-key-hash:x"] }, 'origins has "android:apk-key-hash:x", which is not an origin, such as https://www.example.com or android:apk-key-hash:<hash>'],
  ])("passkeys that browsers would refuse stop the start: %s %j", (base_url, passkeys, problem) => {
    expect(problemsOf({ base_url, auth: { passkeys } })).toEqual([`models/manifest.json: auth.passkeys.${problem}`]);
  });

  test("in production pages need https, also those of localhost", () => {
    const base_url = "http://localhost:3000";
    const found = problemsOf({ base_url, auth: { passkeys: true } }, { NODE_ENV: "production" });
    expect(found).toContain(
      'models/manifest.json: auth.passkeys.origins has "http://localhost:3000", which needs https',
    );
  });

  test("without base_url links lead to this machine", () => {
    const { baseUrl, auth } = read({}, { PORT: "4321" });
    expect(baseUrl).toBe("http://localhost:4321");
    expect(auth.forgotPasswordPageUrl).toBe("http://localhost:4321/auth/forgot-password");
    expect(auth.changeEmailPageUrl).toBe("http://localhost:4321/auth/change-email");
  });

  test("a provider without its required settings is a problem", () => {
    expect(problemsOf({ email: { provider: "smtp" }, sms: { provider: "twilio" } })).toEqual([
      'SERVICE_SMTP_URL is not set, and email.provider "smtp" needs it',
      'SERVICE_TWILIO_ACCOUNT_SID is not set, and sms.provider "twilio" needs it',
      'SERVICE_TWILIO_AUTH_TOKEN is not set, and sms.provider "twilio" needs it',
      'sms.from is not set, and sms.provider "twilio" needs it',
    ]);
    expect(
      problemsOf(
        { sms: { provider: "webhook" } },
        { SERVICE_SMS_WEBHOOK_SECRET: "short", SERVICE_SMTP_URL: "x" },
      ),
    ).toEqual([
      "SERVICE_SMTP_URL must be a URL that begins with smtp:// or smtps://",
      'sms.webhook_url is not set, and sms.provider "webhook" needs it',
      "SERVICE_SMS_WEBHOOK_SECRET is too short: it needs at least 32 bytes",
    ]);
  });

  test("mails come from the host of base_url by default", () => {
    const url = "https://api.example.com";
    expect(read({ base_url: url }).email).toEqual({
      provider: null,
      from: "no-reply@api.example.com",
      replyTo: null,
      maxPerSecond: null,
      hourlyLimitPerRecipient: 10,
      smtpUrl: null,
    });
    expect(read({ base_url: url, email: { from: "Shop <shop@example.com>" } }).email.from).toBe(
      "Shop <shop@example.com>",
    );
  });

  describe("a start logs in one line that no mail verifies new users, and how to correct it", () => {
    const key = { SERVICE_AUTH_VERIFICATION_KEY: "v".repeat(32) };
    const log = { email: { provider: "log" } };
    const optional = { auth: { email_verification_required: false } };
    const address = { base_url: "https://a.example" };
    const unsent = "not set: no mail for verification or reset is sent";
    const stranded = `${unsent}, and users who register cannot sign in`;
    const [variable] = Object.keys(key);
    const secrets = `npm run secrets creates ${variable}`;
    const put = (name: string) => `put "email": { "provider": "${name}" } into models/manifest.json`;
    const neither = (name: string) =>
      `email.provider and ${variable} are ${stranded}; ${put(name)}; ${secrets}`;
    const noProvider = (name: string) => `email.provider is ${stranded}; ${put(name)}`;

    test.each<[string, object, Variables, string | null]>([
      ["neither", {}, {}, neither("log")],
      ["no provider", {}, key, noProvider("log")],
      ["no key", log, {}, `${variable} is ${stranded}; ${secrets}`],
      ["both", log, key, null],
      ["neither, and nothing to verify", optional, {}, null],
      ["no provider, and nothing to verify", optional, key, null],
      ["no key, and nothing to verify", { ...log, ...optional }, {}, `${variable} is ${unsent}; ${secrets}`],
      ["both, and nothing to verify", { ...log, ...optional }, key, null],
      ["neither, in production", address, production, neither("smtp")],
      ["no provider, in production", address, { ...production, ...key }, noProvider("smtp")],
    ])("%s", (_, manifest, environment, expected) => {
      const warnings = read(manifest, environment).warnings.filter((warning) => /mail/.test(warning));
      expect(warnings).toEqual(expected === null ? [] : [expected]);
    });
  });

  test("short keys are warned about, in production refused", () => {
    const short = { SERVICE_AUTH_VERIFICATION_KEY: "short" };
    const message = "SERVICE_AUTH_VERIFICATION_KEY is too short: it needs at least 32 bytes";
    expect(read({}, short).warnings).toContain(message);
    expect(problemsOf({ base_url: "https://a.example" }, { ...production, ...short })).toEqual([message]);
  });
});

test.each([
  ["http://localhost:3000", 1],
  ["https://127.0.0.1", 1],
  ["http://[::1]:3000", 1],
  ["https://localhost.example.com", 0],
])("in production %s as base_url is warned about %i times", (base_url, count) => {
  const { warnings } = read({ base_url }, production);
  expect(warnings.filter((warning) => warning.startsWith("base_url is"))).toHaveLength(count);
});

test("problems come with the warnings, which may be their cause", () => {
  const environment = {
    ...production,
    SERVICE_DATABASE_URL: "",
    SERVICE_DATABSE_URL: "postgres://u:hidden@db",
  };
  const hint = 'SERVICE_DATABSE_URL is not a variable of this service; did you mean "SERVICE_DATABASE_URL"?';
  const message = [
    "the service cannot start with this configuration:",
    "  - SERVICE_DATABASE_URL is not set, and NODE_ENV=production needs it",
    `  - warning: ${hint}`,
  ].join("\n");
  expect(() => read({ base_url: "https://x.example" }, environment)).toThrow(
    expect.objectContaining({ message, warnings: [hint] }),
  );
  expect(() => readDatabaseUrl(environment)).toThrow(expect.objectContaining({ message }));
});

describe("the secret of development", () => {
  test("is created once, and only its owner can read it", () => {
    const { secrets, warnings } = read({});
    const path = join(root, "var/kirak/jwt-secret");
    expect(warnings).toEqual([
      expect.stringMatching(/SERVICE_AUTH_JWT_SECRET_KEY is not set/),
      ...fallbacks,
      unmailed,
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(secrets.jwt[0].export().toString()).toBe(readFileSync(path, "utf8").trim());
    expect(secrets.jwt[0].symmetricKeySize).toBeGreaterThanOrEqual(32);
    expect(read({}).secrets.jwt[0].equals(secrets.jwt[0])).toBe(true);
    expect(readdirSync(join(root, "var/kirak"))).toEqual(["jwt-secret"]);
  });

  test("is one for processes that start at once", async () => {
    const script = compiled(new URL("secret-in-process.ts", import.meta.url));
    const children = [1, 2, 3].map(() => fork(script, [root]));
    await Promise.all(children.map((child) => once(child, "message")));
    const secrets = children.map(async (child) => (await once(child, "message"))[0]);
    for (const child of children) child.send("go");
    expect(new Set(await Promise.all(secrets)).size).toBe(1);
  });
});

test("a base_url of this machine at another port is reported, since links in mails lead there", () => {
  const warned = (baseUrl: string, port: string, more: Variables = {}) =>
    read({ base_url: baseUrl }, { PORT: port, ...more }).warnings.filter((line) =>
      line.startsWith("base_url"),
    );
  expect(warned("http://localhost:3000", "3100")).toEqual([
    "base_url is http://localhost:3000, but the service listens on port 3100: links in mails and to files use base_url; set SERVICE_SET_BASE_URL",
  ]);
  expect(warned("http://localhost:3100", "3100")).toEqual([]);
  expect(warned("https://shop.example", "3100")).toEqual([]);
  expect(warned("http://localhost:3000", "0")).toEqual([]);
});

test("commands that only need the database", () => {
  expect(readDatabaseUrl({})).toBe(null);
  expect(readDatabaseUrl({ SERVICE_DATABASE_URL: "postgresql://x" })).toBe("postgresql://x");
  const direct = {
    SERVICE_DATABASE_URL: "postgresql://pooler",
    SERVICE_DATABASE_DIRECT_URL: "postgresql://x",
  };
  expect(readDatabaseUrl(direct)).toBe("postgresql://x");
  expect(() => readDatabaseUrl({ NODE_ENV: "production" })).toThrow(/SERVICE_DATABASE_URL is not set/);
  expect(() => readDatabaseUrl({ SERVICE_DATABASE_URL: "x" })).toThrow(ConfigError);
});
