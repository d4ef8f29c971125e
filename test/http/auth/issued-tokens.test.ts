import { beforeEach, describe, expect, test } from "vitest";
import { account, accounts, password, session } from "../../support/accounts.ts";
import { claimsIn } from "../../support/links.ts";
import type { Reply } from "../../support/request.ts";
import { outcome } from "../../support/scenarios.ts";
import { type TestService, testService } from "../../support/service.ts";
import { testSms } from "../../support/sms.ts";

const sms = await testSms();
const service = await testService({
  sms: sms.settings,
  auth: { accessTokenSeconds: 300, refreshTokenSeconds: 2 * 86_400, emailVerificationRequired: false },
});

const mine = session(1);
const phone = "+12025550123";
const given = accounts([account(1, { role: "editor", phone_number: phone })], [mine.row]);
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

const post = (path: string, body: Record<string, string>, to: TestService = service): Promise<Reply> =>
  to.send({ method: "POST", path: `/auth/${path}`, body });
const login = (to = service) => post("login", { email: "user1@example.com", password }, to);

/** Every way to a pair of tokens, and whom it is for. */
// biome-ignore format: one case a line
const ways: readonly (readonly [name: string, get: () => Promise<Reply>, subject: object])[] = [
  ["login", () => login(), { sub: "1", role: "editor", email: "user1@example.com" }],
  ["refresh", () => post("refresh-token", { refreshToken: mine.token }), { sub: "1", role: "editor", email: "user1@example.com" }],
  [
    "register without verification",
    () => post("register", { email: "new@example.com", password }),
    { sub: expect.stringMatching(/^\d+$/), role: "user", email: "new@example.com" },
  ],
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

beforeEach(() => service.store(given));

describe.each(ways)("tokens of a %s", (_, get, subject) => {
  test("have the claims of the contract, and no others", async () => {
    const { accessToken, refreshToken, expiresIn } = pairOf(await get());
    expect(expiresIn).toBe(300);
    const access = claimsIn(accessToken);
    const iat = Number(access["iat"]);
    expect(access).toEqual({ ...subject, jti: uuid, type: "access", iat, exp: iat + 300 });
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
    const [row, ...more] = await service.query(
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
    service.send({ method, path, headers: { authorization: `Bearer ${accessToken}` } });
  await service.query("ALTER TABLE users RENAME TO gone");
  try {
    expect(outcome(await ask("GET", "/things/fetch"))).toBe("200");
    expect(outcome(await ask("GET", "/auth/me"))).toBe("500 USER_DATA_ERROR");
    expect(outcome(await ask("POST", "/auth/get-current-user"))).toBe("500 USER_DATA_ERROR");
  } finally {
    await service.query("ALTER TABLE gone RENAME TO users");
  }
});

describe("a row that has expired is skipped, whether or not anybody has purged it", () => {
  test("a refresh token", async () => {
    await service.query("UPDATE auth_tokens SET expires_at = now() - interval '1 second'");
    expect(outcome(await post("refresh-token", { refreshToken: mine.token }))).toBe("401 INVALID_TOKEN");
    expect(outcome(await post("logout", { token: mine.token }))).toBe("404 NOT_FOUND");
  });

  test("a revoked access token", async () => {
    const { accessToken } = pairOf(await login());
    const { jti } = claimsIn(accessToken);
    const ask = async () =>
      outcome(
        await service.send({
          method: "GET",
          path: "/auth/me",
          headers: { authorization: `Bearer ${accessToken}` },
        }),
      );
    const until = (interval: string) =>
      service.query(
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
