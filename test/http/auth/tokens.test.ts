import { createHash, createHmac, generateKeyPairSync, randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { account, accounts, countRows, password, session } from "../../support/accounts.ts";
import { claimsIn, signing, verificationSecret } from "../../support/links.ts";
import type { Envelope, Reply } from "../../support/request.ts";
import { outcome } from "../../support/scenarios.ts";
import { type TestService, testService } from "../../support/service.ts";
import { jwtSecret } from "../../support/service-token.ts";
import { testSms } from "../../support/sms.ts";

const service = await testService(signing);

const now = Math.floor(Date.now() / 1000);
const time = { iat: now - 5, exp: now + 600 };
const newPassword = "Another-Horse-2?";

type Claims = Readonly<Record<string, unknown>>;

/** A purpose of tokens: its claims, its key, and a route that accepts it. */
interface Purpose {
  readonly claims: Claims;
  readonly secret: string;
  /** The error of a token that is refused. */
  readonly refusal: string;
  /** Shows a token; gives status and error. */
  readonly show: (token: string) => Promise<string>;
}

async function ask(method: string, path: string, rest: object = {}): Promise<string> {
  const { status, headers, text } = await service.send({ method, path, ...rest });
  if (headers["content-type"]?.startsWith("text/html") === true) return String(status);
  const envelope: Envelope = JSON.parse(text);
  return envelope.error === undefined ? String(status) : `${status} ${envelope.error}`;
}

// biome-ignore format: one entry a line
const tokenPurposes: Readonly<Record<string, Purpose>> = {
  access: { claims: { sub: "1", role: "user", email: "user1@example.com", jti: randomUUID(), type: "access", ...time }, secret: jwtSecret,
    refusal: "401 INVALID_TOKEN", show: (token) => ask("GET", "/auth/me", { headers: { authorization: `Bearer ${token}` } }) },
  refresh: { claims: { sub: "1", jti: randomUUID(), type: "refresh", ...time }, secret: jwtSecret, refusal: "401 INVALID_TOKEN",
    show: (refreshToken) => ask("POST", "/auth/refresh-token", { body: { refreshToken } }) },
  password_reset: {
    claims: { sub: "1", jti: randomUUID(), type: "password_reset", ...time },
    secret: verificationSecret,
    refusal: "400 INVALID_RESET_TOKEN",
    show: (token) => {
      const body = { token, new_password: newPassword, confirm_password: newPassword };
      return ask("POST", "/auth/reset-password", { body });
    },
  },
  email_verification: { claims: { sub: "1", email: "user1@example.com", type: "email_verification", ...time }, secret: verificationSecret,
    refusal: "400", show: (token) => ask("GET", `/auth/verify-email?token=${encodeURIComponent(token)}`) },
};

const part = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

function made(
  claims: unknown,
  secret: string,
  header: unknown = { alg: "HS256", typ: "JWT" },
  hash = "sha256",
) {
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${createHmac(hash, secret).update(text).digest("base64url")}`;
}

/** A forgery that has another header, or claims that differ. */
const withHeader =
  (header: unknown) =>
  ({ claims, secret }: Purpose) =>
    made(claims, secret, header);
const withClaims =
  (change: Claims) =>
  ({ claims, secret }: Purpose) =>
    made({ ...claims, ...change }, secret);
const withText =
  (text: string) =>
  ({ secret }: Purpose) =>
    made(text, secret);

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const publicKey = rsa.publicKey.export({ type: "spki", format: "pem" }).toString();
const without = (claims: Claims, name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));

/** Every forgery of a token, made from one that would be good. */
// biome-ignore format: one case a line
const forgeries: Readonly<Record<string, (purpose: Purpose) => string>> = {
  "alg none": ({ claims }) => `${part({ alg: "none", typ: "JWT" })}.${part(claims)}.`,
  "alg none with a signature": withHeader({ alg: "none", typ: "JWT" }),
  "alg RS256, signed with the secret": withHeader({ alg: "RS256", typ: "JWT" }),
  "alg HS256, signed with a public key": ({ claims }) => made(claims, publicKey),
  "alg HS512": ({ claims, secret }) => made(claims, secret, { alg: "HS512", typ: "JWT" }, "sha512"),
  "an alg in lower case": withHeader({ alg: "hs256", typ: "JWT" }),
  "no alg": withHeader({ typ: "JWT" }),
  "a kid": withHeader({ alg: "HS256", typ: "JWT", kid: "../../dev/null" }),
  "a jwk": ({ claims, secret }) => made(claims, secret, { alg: "HS256", typ: "JWT", jwk: { kty: "oct", k: part(secret) } }),
  "another key": ({ claims }) => made(claims, "another secret of 32 bytes, or even more"),
  "an empty key": ({ claims }) => made(claims, ""),
  "a key of another purpose": ({ claims, secret }) => made(claims, secret === jwtSecret ? verificationSecret : jwtSecret),
  "a type in capitals": ({ claims, secret }) => made({ ...claims, type: String(claims["type"]).toUpperCase() }, secret),
  "no type": ({ claims, secret }) => made(without(claims, "type"), secret),
  "a type that is a list": ({ claims, secret }) => made({ ...claims, type: [claims["type"]] }, secret),
  "a numeric sub": withClaims({ sub: 1 }),
  "an empty sub": withClaims({ sub: "" }),
  "no sub": ({ claims, secret }) => made(without(claims, "sub"), secret),
  "one claim more": withClaims({ admin: true }),
  "a second sub": ({ claims, secret }) => made(JSON.stringify(claims).replace("{", '{"__proto__":{"sub":"2"},'), secret),
  "no exp": ({ claims, secret }) => made(without(claims, "exp"), secret),
  "an exp that is a text": ({ claims, secret }) => made({ ...claims, exp: String(claims["exp"]) }, secret),
  "an exp that is endless": withClaims({ exp: 1e300 }),
  "not good yet": withClaims({ nbf: now + 300 }),
  "claims that are a list": ({ claims, secret }) => made([claims], secret),
  "claims that are null": withText("null"),
  "claims that are no JSON": withText("{"),
  "the signature of another": ({ claims, secret }) => {
    const [head, payload] = made(claims, secret).split(".");
    return `${head}.${payload}.${made({ ...claims, sub: "2" }, secret).split(".")[2]}`;
  },
  "other claims below a good signature": ({ claims, secret }) => {
    const [head, , signature] = made(claims, secret).split(".");
    return `${head}.${part({ ...claims, sub: "2" })}.${signature}`;
  },
  "no signature": ({ claims, secret }) => made(claims, secret).replace(/\.[^.]*$/, "."),
  "two parts": ({ claims, secret }) => made(claims, secret).replace(/\.[^.]*$/, ""),
  "four parts": ({ claims, secret }) => `${made(claims, secret)}.x`,
  "a padded signature": ({ claims, secret }) => `${made(claims, secret)}=`,
  "standard base64": ({ claims, secret }) => made({ ...claims, jti: "\u00ff\u00fe???>>>" }, secret).replace(/-/g, "+").replace(/_/g, "/"),
  "a byte that is no UTF-8": ({ secret }) => made("\ud800", secret),
  "JSON serialization": ({ claims, secret }) => {
    const [head, payload, signature] = made(claims, secret).split(".");
    return part({ protected: head, payload, signature });
  },
  "a critical extension": withHeader({ alg: "HS256", typ: "JWT", crit: ["exp"], exp: 1 }),
  "an unencoded payload": withHeader({ alg: "HS256", typ: "JWT", b64: false }),
  "a compressed payload": withHeader({ alg: "HS256", typ: "JWT", zip: "DEF" }),
  "two algs": withHeader({ alg: ["HS256", "none"], typ: "JWT" }),
  "a header that is no object": withHeader(5),
  "a header that is no JSON": withHeader("{"),
  "a header with __proto__": withHeader(JSON.parse('{"alg":"HS256","__proto__":{"typ":"x"}}')),
  "an exp beyond all numbers": ({ claims, secret }) => made(JSON.stringify(claims).replace(/"exp":\d+/, '"exp":1e400'), secret),
  "an exp that is null": withClaims({ exp: null }),
  "an exp that is a list": withClaims({ exp: [now + 600] }),
  "an iat with a fraction": withClaims({ iat: now - 5.5 }),
  "an e-mail that is null": withClaims({ email: null }),
  "a role that is an object": withClaims({ role: { toString: "admin" } }),
  "an empty jti": withClaims({ jti: "" }),
  "inherited claims": ({ claims, secret }) => made(`{"__proto__":${JSON.stringify(claims)}}`, secret),
  "no claims": withText("{}"),
  "a secret in place of a token": ({ secret }) => secret.replaceAll(/[ ,]/g, "-"),
};

/** The account that all tokens are for; a token that is stored too, so that its hash is not what saves the day. */
async function prepare(token: string, { claims }: Purpose): Promise<void> {
  const stored = ["refresh", "password_reset"].find((type) => type === claims["type"]);
  const row = {
    user_id: 1,
    token_type: stored ?? "refresh",
    token_hash: createHash("sha256").update(token).digest("hex"),
    expires_at: new Date((now + 600) * 1000).toISOString(),
  };
  await service.store(accounts([account(1, { is_verified: false }), account(2)], [row]));
}

describe.each(Object.entries(tokenPurposes))("a forged %s token is refused", (_, purpose) => {
  test("and a good one is not", async () => {
    const token = made(purpose.claims, purpose.secret);
    await prepare(token, purpose);
    expect(await purpose.show(token)).toBe("200");
  });

  test.each(Object.keys(forgeries))("%s", async (name) => {
    const token = forgeries[name]?.(purpose) ?? "";
    await prepare(token, purpose);
    expect(await purpose.show(token)).toBe(purpose.refusal);
    expect(await countRows(service, "auth_tokens")).toBe(1);
    expect(await countRows(service, "users", "is_verified")).toBe(1);
  });

  test("expired", async () => {
    const token = made({ ...purpose.claims, iat: now - 100, exp: now - 1 }, purpose.secret);
    await prepare(token, purpose);
    expect(await purpose.show(token)).toBe(
      purpose.refusal === "401 INVALID_TOKEN" ? "401 TOKEN_EXPIRED" : purpose.refusal,
    );
  });

  const others = Object.values(tokenPurposes).filter((other) => other !== purpose);
  const purposes = [...others.map(({ claims, secret }) => ({ claims, secret }))];
  for (const type of ["state", "web_auth", "api_key"])
    purposes.push({ claims: { ...purpose.claims, type }, secret: purpose.secret });
  test.each(purposes.map((purpose) => [String(purpose.claims["type"]), purpose] as const))(
    "a token for %s, with either key",
    async (_, { claims }) => {
      for (const secret of [jwtSecret, verificationSecret]) {
        const token = made(claims, secret);
        await prepare(token, purpose);
        expect(await purpose.show(token)).toBe(purpose.refusal);
      }
    },
  );
});

const sms = await testSms();

const lasting = await testService({
  sms: sms.settings,
  auth: { accessTokenSeconds: 300, refreshTokenSeconds: 2 * 86_400, emailVerificationRequired: false },
});

const mine = session(1);

const phone = "+12025550123";

const given = accounts([account(1, { role: "editor", phone_number: phone })], [mine.row]);

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const stamped = expect.stringMatching(
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
);

const post = (path: string, body: Record<string, string>, to: TestService = lasting): Promise<Reply> =>
  to.send({ method: "POST", path: `/auth/${path}`, body });

const login = (to = lasting) => post("login", { email: "user1@example.com", password }, to);

/** Every way to a pair of tokens, and whom it is for. */
// biome-ignore format: one case a line
const ways: readonly (readonly [name: string, get: () => Promise<Reply>, subject: object])[] = [
  ["login", () => login(), { sub: "1", role: "editor", email: "user1@example.com" }],
  ["refresh", () => post("refresh-token", { refreshToken: mine.token }), { sub: "1", role: "editor", email: "user1@example.com" }],
  ["register without verification", () => post("register", { email: "new@example.com", password }),
    { sub: expect.stringMatching(/^\d+$/), role: "user", email: "new@example.com" }],
  ["one-time code", () => byPhone(phone), { sub: "1", role: "editor", email: "user1@example.com" }],
  ["one-time code that makes an account", () => byPhone("+12025550124"), { sub: expect.stringMatching(/^\d+$/), role: "user", email: "" }],
];

async function byPhone(phone_number: string): Promise<Reply> {
  await post("request-otp", { phone_number });
  return post("verify-otp", { phone_number, otp: sms.codeOf(phone_number) });
}

interface Pair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
}

function pairOf(reply: Reply): Pair {
  expect(outcome(reply), reply.text).toBe("200");
  return reply.envelope.data as unknown as Pair;
}

const header = (token: string): unknown => JSON.parse(atob(token.split(".")[0] ?? ""));

describe("issued tokens", () => {
  beforeEach(() => lasting.store(given));

  describe.each(ways)("tokens of a %s", (_, get, subject) => {
    test("have the claims of the contract, and no others", async () => {
      const { accessToken, refreshToken, expiresIn } = pairOf(await get());
      expect(expiresIn).toBe(300);
      const access = claimsIn(accessToken);
      const iat = Number(access["iat"]);
      expect(access).toEqual({ ...subject, jti: stamped, type: "access", iat, exp: iat + 300 });
      expect(Math.abs(iat - Date.now() / 1000)).toBeLessThan(10);
      const refresh = claimsIn(refreshToken);
      const { sub } = access;
      expect(refresh).toEqual({ sub, jti: uuid, type: "refresh", iat, exp: iat + 2 * 86_400 });
      expect(refresh["jti"]).not.toBe(access["jti"]);
      for (const token of [accessToken, refreshToken])
        expect(header(token)).toEqual({ alg: "HS256", typ: "JWT" });
    });

    test("the refresh token is stored as a hash, until it expires", async () => {
      const { refreshToken } = pairOf(await get());
      const [row, ...more] = await lasting.query(
        `SELECT token_type, name, key_prefix, extract(epoch FROM expires_at)::int AS exp FROM auth_tokens
       WHERE token_hash = encode(sha256($1::bytea), 'hex')`,
        [refreshToken],
      );
      expect(more).toEqual([]);
      expect(row).toEqual({
        token_type: "refresh",
        name: null,
        key_prefix: null,
        exp: claimsIn(refreshToken)["exp"],
      });
    });
  });

  test("tokens of one second all differ", async () => {
    const still = await testService({}, { now: () => 1_900_000_000_000 });
    await still.store(given);
    const pairs = (await Promise.all(Array.from({ length: 5 }, () => login(still)))).map(pairOf);
    expect(new Set(pairs.map(({ accessToken }) => claimsIn(accessToken)["iat"]))).toEqual(
      new Set([1_900_000_000]),
    );
    expect(new Set(pairs.flatMap(({ accessToken, refreshToken }) => [accessToken, refreshToken])).size).toBe(
      10,
    );
  });

  test("who calls is what the claims say: a model route reads no row of users", async () => {
    const { accessToken } = pairOf(await login());
    const ask = (method: string, path: string) =>
      lasting.send({ method, path, headers: { authorization: `Bearer ${accessToken}` } });
    await lasting.query("ALTER TABLE users RENAME TO gone");
    try {
      expect(outcome(await ask("GET", "/things/fetch"))).toBe("200");
      expect(outcome(await ask("GET", "/auth/me"))).toBe("500 USER_DATA_ERROR");
      expect(outcome(await ask("POST", "/auth/get-current-user"))).toBe("500 USER_DATA_ERROR");
    } finally {
      await lasting.query("ALTER TABLE gone RENAME TO users");
    }
  });

  describe("an expired row is skipped, purged or not", () => {
    test("a refresh token", async () => {
      await lasting.query("UPDATE auth_tokens SET expires_at = now() - interval '1 second'");
      expect(outcome(await post("refresh-token", { refreshToken: mine.token }))).toBe("401 INVALID_TOKEN");
      expect(outcome(await post("logout", { token: mine.token }))).toBe("404 NOT_FOUND");
    });

    test("a revoked access token", async () => {
      const { accessToken } = pairOf(await login());
      const { jti } = claimsIn(accessToken);
      const ask = async () =>
        outcome(
          await lasting.send({
            method: "GET",
            path: "/auth/me",
            headers: { authorization: `Bearer ${accessToken}` },
          }),
        );
      const until = (interval: string) =>
        lasting.query(
          `INSERT INTO auth_token_blacklist (jti, expires_at) VALUES ($1, now() + $2::interval)
         ON CONFLICT (jti) DO UPDATE SET expires_at = excluded.expires_at`,
          [jti, interval],
        );
      await until("1 minute");
      expect(await ask()).toBe("401 TOKEN_REVOKED");
      await until("-1 second");
      expect(await ask()).toBe("200");
    });
  });
});
