import { describe, expect, test } from "vitest";
import { account, accounts, apiKey, countRows, session, storedReset } from "../../support/accounts.ts";
import { outcome, scenarios } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { claimsOf, signed, tokenOf } from "../../support/service-token.ts";

const service = await testService({ auth: { cookieName: "session", cookieDomain: "example.com" } });

const mine = session(1);
const other = session(1);
const foreign = session(2);
const expired = session(1, -5);
const key = apiKey(1);
const users = [account(1, { role: "editor" }), account(2), account(3, { is_active: false })];
const given = accounts(users, [mine.row, other.row, foreign.row, expired.row]);
const refresh = (token: unknown) => ({
  given,
  send: "POST /auth/refresh-token",
  body: JSON.parse(JSON.stringify({ refreshToken: token })),
});

describe("POST /auth/refresh-token", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    { name: "gives a new pair, and the old one is used up", ...refresh(mine.token),
      data: { accessToken: expect.any(String), refreshToken: expect.any(String), expiresIn: 3600 } },
    { name: "an access token", ...refresh(tokenOf("user")), fails: "401 INVALID_TOKEN" },
    { name: "one that is not stored", ...refresh(session(1).token), fails: "401 INVALID_TOKEN" },
    { name: "an expired one", ...refresh(expired.token), fails: "401 TOKEN_EXPIRED" },
    { name: "one of a user who is gone", ...refresh(session(9).token), fails: "401 INVALID_TOKEN" },
    { name: "no token", ...refresh(undefined), fails: "400 VALIDATION_ERROR refreshToken" },
    { name: "no text", ...refresh(7), fails: "400 VALIDATION_ERROR refreshToken" },
    { name: "garbage", ...refresh("x.y.z"), fails: "401 INVALID_TOKEN" },
  ]);

  test("the new token has the role of now; the old one is refused, without a cookie, and ends nothing", async () => {
    await service.store(given);
    await service.query("UPDATE users SET role = 'admin' WHERE id = 1");
    const send = (refreshToken: string) =>
      service.send({ method: "POST", path: "/auth/refresh-token", body: { refreshToken } });
    const first = await send(mine.token);
    const { accessToken, refreshToken } = first.envelope.data as Record<string, string>;
    expect(JSON.parse(atob((accessToken ?? "").split(".")[1] ?? ""))).toMatchObject({
      sub: "1",
      role: "admin",
    });
    expect(first.headers["set-cookie"]?.[0]).toMatch(
      /^session=eyJ[^;]+; Max-Age=3600; Domain=example\.com; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    );
    const again = await send(mine.token);
    expect(outcome(again)).toBe("401 INVALID_TOKEN");
    expect(again.headers["set-cookie"]).toBeUndefined();
    expect(outcome(await send(refreshToken ?? ""))).toBe("200");
  });

  test("an inactive user is refused, and the token stays", async () => {
    const token = session(3);
    await service.store(accounts(users, [token.row]));
    const body = { refreshToken: token.token };
    const reply = await service.send({ method: "POST", path: "/auth/refresh-token", body });
    expect(outcome(reply)).toBe("403 ACCOUNT_INACTIVE");
    expect(await countRows(service, "auth_tokens")).toBe(1);
  });

  test("a token that was revoked tells nothing of an account that is inactive by now", async () => {
    await service.store(accounts(users));
    const body = { refreshToken: session(3).token };
    const reply = await service.send({ method: "POST", path: "/auth/refresh-token", body });
    expect(outcome(reply)).toBe("401 INVALID_TOKEN");
  });

  test("of fifty at once one succeeds", async () => {
    await service.store(given);
    const body = { refreshToken: mine.token };
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => service.send({ method: "POST", path: "/auth/refresh-token", body })),
    );
    const outcomes = replies.map(outcome).sort();
    expect(outcomes).toEqual(["200", ...Array(49).fill("401 INVALID_TOKEN")]);
    expect(await countRows(service, "auth_tokens", "user_id = 1")).toBe(3);
  });
});

const logout = (token: string, rest: object = {}) => ({
  given,
  send: "POST /auth/logout",
  body: { token, ...rest },
});

describe("POST /auth/logout", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    { name: "single", ...logout(mine.token), data: { deleted_tokens: 1, logout_type: "single" } },
    {
      name: "all: also expired ones of the user, of nobody else",
      ...logout(mine.token, { logout_type: "all" }),
      data: { deleted_tokens: 3, logout_type: "all" },
      rows: { auth_tokens: [{ user_id: 2 }] },
    },
    {
      name: "others",
      ...logout(mine.token, { logout_type: "others" }),
      data: { deleted_tokens: 2, logout_type: "others" },
      rows: { auth_tokens: [{ user_id: 1 }, { user_id: 2 }] },
    },
    { name: "an access token", ...logout(tokenOf("user")), fails: "404 NOT_FOUND" },
    { name: "an expired one", ...logout(expired.token), fails: "404 NOT_FOUND" },
    {
      name: "a reset token",
      ...logout("a reset token"),
      given: accounts(users, [mine.row, storedReset(1, "a reset token")]),
      fails: "404 NOT_FOUND",
      rows: { auth_tokens: [{}, {}] },
    },
    { name: "an API key", ...logout(key.key), given: accounts(users, [mine.row, key.row]), fails: "404 NOT_FOUND", rows: { auth_tokens: [{}, {}] } },
    { name: "another type", ...logout(mine.token, { logout_type: "some" }), fails: "400 VALIDATION_ERROR logout_type" },
    { name: "no token", given, send: "POST /auth/logout", body: {}, fails: "400 VALIDATION_ERROR token" },
  ]);

  const access = (sub: string) => signed({ ...claimsOf({ role: "user", sub }) });
  const send = (authorization: string, cookie?: string) =>
    service.send({
      method: "POST",
      path: "/auth/logout",
      body: { token: mine.token },
      headers: { ...(authorization !== "" && { authorization }), ...(cookie !== undefined && { cookie }) },
    });
  const use = (token: string) =>
    service.send({ method: "GET", path: "/auth/me", headers: { authorization: `Bearer ${token}` } });

  test("revokes the access token of the header, and no other", async () => {
    await service.store(given);
    const [token, another] = [access("1"), access("1")];
    const reply = await send(`Bearer ${token}`);
    expect(outcome(reply)).toBe("200");
    expect(reply.headers["set-cookie"]?.[0]).toMatch(/^session=; .*Expires=Thu, 01 Jan 1970/);
    expect(outcome(await use(token))).toBe("401 TOKEN_REVOKED");
    expect(outcome(await use(another))).toBe("200");
  });

  test("revokes the access token of the cookie", async () => {
    await service.store(given);
    const token = access("1");
    expect(outcome(await send("", `session=${token}`))).toBe("200");
    expect(outcome(await use(token))).toBe("401 TOKEN_REVOKED");
  });

  test.each([
    ["malformed", "Bearer x"],
    ["of another scheme", "Basic x"],
    ["foreign", `Bearer ${access("2")}`],
    ["expired", `Bearer ${signed({ ...claimsOf("user"), exp: 1 })}`],
    ["an API key", "Bearer kk_x"],
  ])("a header that is %s is ignored", async (_, authorization) => {
    await service.store(given);
    expect(outcome(await send(authorization))).toBe("200");
    expect(await countRows(service, "auth_token_blacklist")).toBe(0);
  });

  test("the message is the contract's", async () => {
    await service.store(given);
    await send("");
    const reply = await send("");
    expect(reply.envelope.message).toBe("Token not found or already invalidated");
  });

  test("without a blacklist nothing is deleted", async () => {
    await service.store(given);
    await service.query("ALTER TABLE auth_token_blacklist RENAME TO gone");
    try {
      expect(outcome(await send(`Bearer ${access("1")}`))).toBe("503 AUTH_UNAVAILABLE");
      expect(outcome(await use(access("1")))).toBe("503 AUTH_UNAVAILABLE");
      expect(await countRows(service, "auth_tokens", "user_id = 1")).toBe(3);
    } finally {
      await service.query("ALTER TABLE gone RENAME TO auth_token_blacklist");
    }
    expect(outcome(await send(`Bearer ${access("1")}`))).toBe("200");
  });

  test("a refresh in flight revives nothing", async () => {
    await service.store(given);
    const body = { token: mine.token, logout_type: "all" };
    const replies = await Promise.all([
      service.send({ method: "POST", path: "/auth/refresh-token", body: { refreshToken: other.token } }),
      service.send({ method: "POST", path: "/auth/logout", body }),
      service.send({ method: "POST", path: "/auth/refresh-token", body: { refreshToken: mine.token } }),
    ]);
    const [, ended] = replies.map(outcome);
    if (ended === "200") expect(await countRows(service, "auth_tokens", "user_id = 1")).toBe(0);
    else expect(ended).toBe("404 NOT_FOUND");
  });
});

describe("the signed-in user", () => {
  const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
  const data = {
    user_id: 1,
    email: "user1@example.com",
    role: "editor",
    first_name: null,
    last_name: null,
    is_verified: true,
    is_active: true,
    created_at: moment,
    last_login_at: null,
  };
  const caller = { role: "user", sub: "1" };
  const returned = accounts([account(1, { last_login_at: "2026-01-02T03:04:05.006+02:00" })]);
  // biome-ignore format: one case a line
  scenarios(service, [
    { given, send: "GET /auth/me", as: caller, data },
    { given, send: "POST /auth/get-current-user", body: {}, as: caller, data },
    {
      name: "who has signed in before",
      given: returned,
      send: "GET /auth/me",
      as: caller,
      data: { ...data, role: "user", last_login_at: "2026-01-02T01:04:05.006Z" },
    },
    { given, send: "POST /auth/get-current-user", body: { id: 2 }, as: caller, fails: "400 VALIDATION_ERROR id" },
    { given, send: "GET /auth/me", as: { role: "user", sub: "9" }, fails: "404 NOT_FOUND" },
    { given, send: "GET /auth/me", as: { role: "user", sub: "abc" }, fails: "404 NOT_FOUND" },
    { given, send: "GET /auth/me", fails: "401 MISSING_TOKEN" },
    { given, send: "GET /auth/me", headers: { "x-api-key": "kk_x" }, fails: "401 MISSING_TOKEN" },
    { given, send: "GET /auth/me", headers: { authorization: "Bearer kk_x" }, fails: "401 MISSING_TOKEN" },
    { given, send: "GET /auth/me", headers: { authorization: "Basic x" }, fails: "401 INVALID_TOKEN" },
    { given, send: "GET /auth/me", headers: { cookie: "session=x" }, fails: "401 INVALID_TOKEN" },
    { given, send: "GET /auth/me", headers: { cookie: `session=${tokenOf(caller)}` }, data },
  ]);
});
