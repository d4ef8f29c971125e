import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectCache } from "#runtime/core/cache/index";
import { account, accounts, apiKey, countRows, password, session } from "../../support/accounts.ts";
import { eventually } from "../../support/eventually.ts";
import { signing, verificationToken } from "../../support/links.ts";
import { proxyTo, type TestProxy } from "../../support/proxy.ts";
import { hasRedis, testRedis } from "../../support/redis.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { claimsOf, signed, tokenOf } from "../../support/service-token.ts";
import { silent } from "../../support/silent-log.ts";

describe.skipIf(!hasRedis)("with Redis", async () => {
  const redis = hasRedis ? await testRedis() : null;
  if (redis === null) return;
  const cache = await connectCache(redis.url, silent);
  afterAll(() => cache.close());
  const service = await testService({}, { cache });

  const mine = session(1);
  const access = () => signed(claimsOf({ role: "user", sub: "1" }));
  const use = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return outcome(await service.send({ method: "GET", path: "/auth/me", headers }));
  };
  const logout = async (token: string) =>
    outcome(
      await service.send({
        method: "POST",
        path: "/auth/logout",
        headers: { authorization: `Bearer ${token}` },
        body: { token: mine.token },
      }),
    );
  const asGuest = async () => outcome(await service.send({ method: "GET", path: "/things/fetch" }));
  const isReady = async () => (await service.send({ method: "GET", path: "/readyz" })).status;
  /** Until the connection is back, which takes a moment and no help. */
  const answers = (token: string, expected: string) =>
    eventually(async () => expect(await use(token)).toBe(expected));

  beforeEach(async () => {
    await service.store(accounts([account(1)], [mine.row]));
    await answers(access(), "200");
  });

  test("a revoked token is refused, and is in the table, and in Redis until it expires", async () => {
    const token = access();
    expect(await logout(token)).toBe("200");
    expect(await use(token)).toBe("401 TOKEN_REVOKED");
    expect(await countRows(service, "auth_token_blacklist")).toBe(1);
    const [key] = (await redis.run("KEYS", "kirak:blacklist:*-*")) as string[];
    const lifeMs = Number(await redis.run("PTTL", key ?? ""));
    expect(lifeMs).toBeGreaterThan(3_000_000);
    expect(lifeMs).toBeLessThanOrEqual(3_600_000);
  });

  test("killed: 503 for who has a token, guests are served, nothing is logged out; empty again: as before", async () => {
    const revoked = access();
    expect(await logout(revoked)).toBe("200");
    await service.store(accounts([account(1)], [mine.row]));
    await service.query(
      "INSERT INTO auth_token_blacklist (jti, expires_at) VALUES ($1, now() + interval '1 hour')",
      [JSON.parse(atob(revoked.split(".")[1] ?? "")).jti],
    );
    await redis.kill();
    const token = access();
    await answers(token, "503 AUTH_UNAVAILABLE");
    expect(await logout(token)).toBe("503 AUTH_UNAVAILABLE");
    expect(await countRows(service, "auth_tokens")).toBe(1);
    expect(await asGuest()).toBe("200");
    expect(await isReady()).toBe(503);
    await redis.start();
    await answers(token, "200");
    expect(await use(revoked)).toBe("401 TOKEN_REVOKED");
    expect(await isReady()).toBe(200);
  });

  test("killed: who needs no token signs up, in and out as before", async () => {
    await redis.kill();
    try {
      await answers(access(), "503 AUTH_UNAVAILABLE");
      const post = async (route: string, body: Record<string, string>) =>
        outcome(await service.send({ method: "POST", path: `/auth/${route}`, body }));
      expect(await post("register", { email: "new@example.com", password })).toBe("200");
      expect(await post("login", { email: "user1@example.com", password })).toBe("200");
      expect(await post("request-reset-password", { email: "user1@example.com" })).toBe("200");
      expect(await post("refresh-token", { refreshToken: mine.token })).toBe("200");
      const left = session(1);
      await service.store(accounts([account(1)], [left.row]));
      expect(await post("logout", { token: left.token, logout_type: "all" })).toBe("200");
      expect(await countRows(service, "auth_tokens")).toBe(0);
    } finally {
      await redis.start();
    }
    await answers(access(), "200");
  });

  test("slow: 503 soon, and as before when it answers again", async () => {
    const token = access();
    redis.pause();
    try {
      expect(await use(token)).toBe("503 AUTH_UNAVAILABLE");
      expect(await asGuest()).toBe("200");
    } finally {
      redis.resume();
    }
    await answers(token, "200");
  });
});

let proxy: TestProxy | undefined;

const service = await testService(signing, {
  async reach(url) {
    proxy = await proxyTo(url);
    return proxy.url;
  },
});

const mine = session(1);

const headers = { authorization: `Bearer ${tokenOf({ role: "user", sub: "1" })}` };

const ask = async (method: string, path: string, rest: object = {}) =>
  outcome(await service.send({ method, path, ...rest }));

describe("without PostgreSQL", () => {
  beforeEach(async () => {
    await service.store(accounts([account(1)], [mine.row]));
    expect(await ask("GET", "/auth/me", { headers })).toBe("200");
    proxy?.cut();
  });

  afterEach(() => proxy?.mend());

  test("requests with a token get 503 and are never served unchecked", async () => {
    expect(await ask("GET", "/auth/me", { headers })).toBe("503 AUTH_UNAVAILABLE");
    expect(await ask("GET", "/docs/count", { headers })).toBe("503 AUTH_UNAVAILABLE");
    const key = { "x-api-key": apiKey(1).key };
    expect(await ask("GET", "/docs/count", { headers: key })).toBe("503 AUTH_UNAVAILABLE");
  });

  test("a logout ends nothing, a login and a refresh fail", async () => {
    const out = { body: { token: mine.token }, headers };
    expect(await ask("POST", "/auth/logout", out)).toBe("503 AUTH_UNAVAILABLE");
    // Without a token to revoke, only the database is needed.
    expect(await ask("POST", "/auth/logout", { body: out.body })).toBe("500 DATABASE_ERROR");
    const email = "user1@example.com";
    expect(await ask("POST", "/auth/login", { body: { email, password } })).toBe("500 DATABASE_ERROR");
    const body = { refreshToken: mine.token };
    expect(await ask("POST", "/auth/refresh-token", { body })).toBe("500 DATABASE_ERROR");
    proxy?.mend();
    await eventually(async () => expect(await ask("POST", "/auth/refresh-token", { body })).toBe("200"));
  });

  test("a verification link opens a page that asks the user to try again later", async () => {
    const path = `/auth/verify-email?token=${verificationToken(1, "user1@example.com")}`;
    const reply = await service.send({ method: "GET", path });
    expect(reply.status).toBe(503);
    expect(reply.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(reply.text).toContain("The link is fine");
    expect(service.log.at(-1)).toMatchObject({
      path: "/auth/verify-email",
      status: 503,
      err: expect.anything(),
    });
  });

  test("it recovers by itself", async () => {
    expect(await ask("GET", "/auth/me", { headers })).toBe("503 AUTH_UNAVAILABLE");
    proxy?.mend();
    await eventually(async () => expect(await ask("GET", "/auth/me", { headers })).toBe("200"));
  });
});
