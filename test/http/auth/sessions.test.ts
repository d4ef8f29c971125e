import { beforeEach, describe, expect, test } from "vitest";
import {
  account,
  accounts,
  apiKey,
  countRows,
  password,
  session,
  storedReset,
} from "../../support/accounts.ts";
import { testClock } from "../../support/clock.ts";
import { resetToken, signing } from "../../support/links.ts";
import { enrol, totp } from "../../support/mfa.ts";
import { requestOf } from "../../support/request.ts";
import { outcome, scenarios } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { claimsOf, signed, tokenOf } from "../../support/service-token.ts";
import { testSms } from "../../support/sms.ts";

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
    { name: "all: also expired ones of the user, and none of other users",
      ...logout(mine.token, { logout_type: "all" }),
      data: { deleted_tokens: 3, logout_type: "all" },
      rows: { auth_tokens: [{ user_id: 2 }] },
    },
    { name: "others",
      ...logout(mine.token, { logout_type: "others" }),
      data: { deleted_tokens: 2, logout_type: "others" },
      rows: { auth_tokens: [{ user_id: 1 }, { user_id: 2 }] },
    },
    { name: "an access token", ...logout(tokenOf("user")), fails: "404 NOT_FOUND" },
    { name: "an expired one", ...logout(expired.token), fails: "404 NOT_FOUND" },
    { name: "a reset token",
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
      ...requestOf("POST /auth/logout", { token: mine.token }),
      headers: { ...(authorization !== "" && { authorization }), ...(cookie !== undefined && { cookie }) },
    });
  const use = (token: string) =>
    service.send({ method: "GET", path: "/auth/me", headers: { authorization: `Bearer ${token}` } });

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
    { name: "who has signed in before",
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

const clock = testClock();

const sms = await testSms();

const aging = await testService({ ...signing, sms: sms.settings }, { now: clock.now });

const reset = resetToken(1);

const next = "Another-Horse-2!";

const phone = "+12025550123";

const send = async (path: string, body: object, token?: string) =>
  outcome(
    await aging.send({
      ...requestOf(`POST /auth/${path}`, JSON.parse(JSON.stringify(body))),
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    }),
  );

async function signIn(secret = password): Promise<string> {
  const body = { email: "user1@example.com", password: secret };
  const { envelope } = await aging.send({ method: "POST", path: "/auth/login", body });
  return (envelope.data as { accessToken: string }).accessToken;
}

/** What makes credentials, or second factors: all that could outlive the token that asks for it. */
const makesCredentials = {
  "api-keys/create": {},
  "setup-mfa": {},
  "generate-verification-link": { user_id: 2, email: "user2@example.com", type: "password_reset" },
};

/** Requests that lock out a stolen token. */
const waysToTakeBack: Readonly<Record<string, () => Promise<string>>> = {
  "a reset of the password": () =>
    send("reset-password", { token: reset, new_password: next, confirm_password: next }),
  "a change of the password": async () => {
    const body = { current_password: password, new_password: next, confirm_password: next };
    return send("change-password", body, await signIn());
  },
  "a logout of all sessions": () => send("logout", { token: mine.token, logout_type: "all" }),
  "a logout of the other sessions": () => send("logout", { token: mine.token, logout_type: "others" }),
};

describe("sessions from before a change", () => {
  beforeEach(async () => {
    const users = [account(1, { role: "admin" }), account(2)];
    await aging.store(accounts(users, [mine.row, storedReset(1, reset)]));
  });

  describe.each(Object.entries(waysToTakeBack))("after %s", (_, takeBack) => {
    test("a token of before makes no credentials, and is good for all else", async () => {
      const stolen = await signIn();
      clock.pass(2);
      expect(await takeBack()).toBe("200");
      for (const [path, body] of Object.entries(makesCredentials))
        expect(await send(path, body, stolen), path).toBe("401 TOKEN_REVOKED");
      expect(await countRows(aging, "auth_tokens", "token_type = 'api_key'")).toBe(0);
      expect(await countRows(aging, "auth_mfa")).toBe(0);
      expect(await send("get-current-user", {}, stolen)).toBe("200");
    });

    test("a token from after it does, of the same millisecond too", async () => {
      expect(await takeBack()).toBe("200");
      const [row] = await aging.query("SELECT password FROM users WHERE id = 1");
      const [own] = await aging.query("SELECT password FROM users WHERE id = 2");
      const token = await signIn(row?.["password"] === own?.["password"] ? password : next);
      for (const [path, body] of Object.entries(makesCredentials))
        expect(await send(path, body, token), path).toBe("200");
    });
  });

  test("nor does it switch a second factor off or on", async () => {
    const stolen = await signIn();
    const { secret } = await enrol(aging, clock, { role: "user", sub: "1" });
    clock.pass(60);
    await send("reset-password", { token: reset, new_password: next, confirm_password: next });
    const body = { code: totp(secret, clock) };
    for (const path of ["disable-mfa", "verify-mfa"])
      expect(await send(path, body, stolen), path).toBe("401 TOKEN_REVOKED");
  });

  test("nor after the account went to the owner of its phone number", async () => {
    const stolen = await signIn();
    await aging.query(`UPDATE users SET is_verified = false, phone_number = '${phone}' WHERE id = 1`);
    clock.pass(2);
    expect(await send("request-otp", { phone_number: phone })).toBe("200");
    expect(await send("verify-otp", { phone_number: phone, otp: await sms.codeOf(phone) })).toBe("200");
    expect(await send("api-keys/create", {}, stolen)).toBe("401 TOKEN_REVOKED");
  });

  test("nor does a token of any role whose user is gone", async () => {
    const token = await signIn();
    await aging.query("DELETE FROM users WHERE id = 1");
    for (const [path, body] of Object.entries({ ...makesCredentials, "api-keys/create": { user_id: 2 } }))
      expect(await send(path, body, token), path).toBe("404 NOT_FOUND");
    expect(await countRows(aging, "auth_tokens")).toBe(0);
  });

  test("a logout of one session, and a login with an older hash, leave tokens as they are", async () => {
    const token = await signIn();
    clock.pass(2);
    expect(await send("logout", { token: mine.token })).toBe("200");
    await signIn();
    expect(await send("api-keys/create", {}, token)).toBe("200");
  });
});
