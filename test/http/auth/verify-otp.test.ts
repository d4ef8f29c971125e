import { beforeEach, describe, expect, test } from "vitest";
import { ServiceError } from "#runtime/index";
import type { Json } from "#vocabulary/json";
import { account, accounts, apiKey, countRows, password, session } from "../../support/accounts.ts";
import { testClock } from "../../support/clock.ts";
import { enrol, totp, wrongTotp } from "../../support/mfa.ts";
import { firedHooks, outcome, scenarios } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { testSms } from "../../support/sms.ts";
import { stage } from "../fixture/stage.ts";

const sms = await testSms();
const clock = testClock();
const service = await testService({ sms: sms.settings, auth: { cookieName: "session" } }, { now: clock.now });

const phone = "+12025550123";
const given = accounts([
  account(1, { phone_number: phone, first_name: "Ann" }),
  account(2, { phone_number: "+12025550124" }),
]);
const user = { role: "user", sub: "1" };
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
const tokens = {
  accessToken: expect.stringMatching(/^eyJ/),
  refreshToken: expect.stringMatching(/^eyJ/),
  expiresIn: 3600,
};

async function requestCode(phone_number = phone): Promise<string> {
  const body = { phone_number };
  const reply = await service.send({ method: "POST", path: "/auth/request-otp", body });
  if (outcome(reply) !== "200") throw new Error(reply.text);
  return sms.codeOf(phone_number);
}
const verify = (otp: Json, rest: Record<string, Json> = {}) =>
  service.send({ method: "POST", path: "/auth/verify-otp", body: { phone_number: phone, otp, ...rest } });
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");
const atOnce = async (count: number, send: (index: number) => ReturnType<typeof verify>) =>
  (await Promise.all(Array.from({ length: count }, (_, index) => send(index)))).map(outcome).sort();
const setUser = (assignment: string) => service.query(`UPDATE users SET ${assignment} WHERE id = 1`);

beforeEach(async () => {
  Object.assign(stage, { hooks: {}, fired: [] });
  await service.store(given);
});

describe("POST /auth/verify-otp with an account", () => {
  test("signs in, once", async () => {
    const code = await requestCode();
    const reply = await verify(code);
    // biome-ignore format: related values together
    expect(reply.envelope.data).toEqual({
      user: { user_id: 1, first_name: "Ann", last_name: null, email: "user1@example.com", phone_number: phone, role: "user", is_active: true,
        created_at: moment, last_login_at: moment },
      ...tokens,
    });
    const { accessToken } = reply.envelope.data as { accessToken: string };
    expect(reply.headers["set-cookie"]?.[0]).toContain(`session=${accessToken}; Max-Age=3600;`);
    expect(firedHooks()).toEqual(["after_login"]);
    expect(await countRows(service, "auth_otp")).toBe(0);
    expect(await countRows(service, "auth_tokens", "user_id = 1 AND token_type = 'refresh'")).toBe(1);
    expect(outcome(await verify(code))).toBe("401 INVALID_OTP");
  });

  test("for any form of the number, and with any credential", async () => {
    const code = await requestCode();
    const body = { phone_number: "+1 (202) 555-0123", otp: code };
    const headers = { authorization: "Bearer stale" };
    const reply = await service.send({ method: "POST", path: "/auth/verify-otp", body, headers });
    expect(outcome(reply)).toBe("200");
  });

  test("not with a code for another number", async () => {
    const code = await requestCode("+12025550124");
    await requestCode();
    expect(outcome(await verify(code === sms.codeOf(phone) ? wrong(code) : code))).toBe("401 INVALID_OTP");
  });

  test("a new request voids the older code", async () => {
    const first = await requestCode();
    let second = await requestCode();
    while (second === first) second = await requestCode();
    expect(outcome(await verify(first))).toBe("401 INVALID_OTP");
    expect(outcome(await verify(second))).toBe("200");
  });

  test("for five minutes", async () => {
    const code = await requestCode();
    clock.pass(299);
    expect(outcome(await verify(wrong(code)))).toBe("401 INVALID_OTP");
    clock.pass(2);
    expect(outcome(await verify(code))).toBe("401 INVALID_OTP");
    const later = await requestCode();
    clock.pass(299);
    expect(outcome(await verify(later))).toBe("200");
  });

  test("after four wrong tries, not after five; then with a new code", async () => {
    const code = await requestCode();
    for (let count = 0; count < 4; count++)
      expect(outcome(await verify(wrong(code)))).toBe("401 INVALID_OTP");
    expect(outcome(await verify(code))).toBe("200");
    const next = await requestCode();
    for (let count = 0; count < 5; count++)
      expect(outcome(await verify(wrong(next)))).toBe("401 INVALID_OTP");
    expect(outcome(await verify(next))).toBe("401 INVALID_OTP");
    expect(outcome(await verify(await requestCode()))).toBe("200");
  });

  test("wrong tries at once count one by one", async () => {
    const code = await requestCode();
    expect(await atOnce(4, () => verify(wrong(code)))).toEqual(Array(4).fill("401 INVALID_OTP"));
    expect(await countRows(service, "auth_otp", "attempts = 4")).toBe(1);
    await atOnce(20, () => verify(wrong(code)));
    expect(await countRows(service, "auth_otp", "attempts = 5")).toBe(1);
    expect(outcome(await verify(code))).toBe("401 INVALID_OTP");
  });

  test("of twenty at once one succeeds", async () => {
    const code = await requestCode();
    expect(await atOnce(20, () => verify(code))).toEqual(["200", ...Array(19).fill("401 INVALID_OTP")]);
    expect(await countRows(service, "auth_tokens")).toBe(1);
  });

  test("an inactive account is refused", async () => {
    await setUser("is_active = false");
    const code = await requestCode();
    expect(outcome(await verify(code))).toBe("403 ACCOUNT_INACTIVE");
    expect(outcome(await verify(wrong(code)))).toBe("401 INVALID_OTP");
    expect(await countRows(service, "auth_tokens")).toBe(0);
  });

  test("a hook that refuses leaves the code as it was", async () => {
    const code = await requestCode();
    stage.hooks = {
      after_login() {
        throw new ServiceError("PERMISSION_DENIED", "not today");
      },
    };
    expect(outcome(await verify(code))).toBe("403 PERMISSION_DENIED");
    expect(await countRows(service, "auth_tokens")).toBe(0);
    stage.hooks = {};
    expect(outcome(await verify(code))).toBe("200");
  });

  test("neither codes nor numbers are in the log", async () => {
    const code = await requestCode();
    await verify(wrong(code));
    await verify(code);
    const log = JSON.stringify(service.log.map(({ msg, err, url, path }) => [msg, err, url, path]));
    for (const text of [code, "2025550123"]) expect(log).not.toContain(text);
  });
});

describe("an account that was never verified", () => {
  test("loses its e-mail and every other way in, and is verified", async () => {
    const key = apiKey(1);
    const refresh = session(1);
    const theirs = session(2);
    const social = { user_id: 1, provider: "google-oauth2", uid: "x" };
    const users = [account(1, { phone_number: phone, is_verified: false }), account(2)];
    await service.store({
      ...accounts(users, [key.row, refresh.row, theirs.row]),
      auth_social: [social, { ...social, user_id: 2, uid: "y" }],
    });
    await enrol(service, clock, user);
    const reply = await verify(await requestCode());
    expect(outcome(reply)).toBe("200");
    expect(reply.envelope.data).toMatchObject({ user: { user_id: 1, email: null } });
    const { accessToken } = reply.envelope.data as { accessToken: string };
    expect(JSON.parse(atob(accessToken.split(".")[1] ?? ""))).toMatchObject({ sub: "1", email: "" });
    const bare = "id = 1 AND is_verified AND password IS NULL AND email IS NULL";
    expect(await countRows(service, "users", bare)).toBe(1);
    expect(await countRows(service, "auth_tokens", "user_id = 1")).toBe(1);
    expect(await countRows(service, "auth_tokens", "user_id = 2")).toBe(1);
    expect(await countRows(service, "auth_mfa")).toBe(0);
    expect(await countRows(service, "auth_social", "user_id = 1")).toBe(0);
    expect(await countRows(service, "auth_social", "user_id = 2")).toBe(1);
    const body = { refreshToken: refresh.token };
    const renewal = await service.send({ method: "POST", path: "/auth/refresh-token", body });
    expect(outcome(renewal)).toBe("401 INVALID_TOKEN");
    const login = { email: "user1@example.com", password };
    const entry = await service.send({ method: "POST", path: "/auth/login", body: login });
    expect(outcome(entry)).toBe("401 INVALID_CREDENTIALS");
    const again = await service.send({ method: "POST", path: "/auth/register", body: login });
    expect(outcome(again)).toBe("200");
  });

  test("a verified one keeps its e-mail and its password", async () => {
    const reply = await verify(await requestCode());
    expect(reply.envelope.data).toMatchObject({ user: { user_id: 1, email: "user1@example.com" } });
    expect(await countRows(service, "users", "id = 1 AND password IS NOT NULL")).toBe(1);
  });

  const untouched = "id = 1 AND NOT is_verified AND password IS NOT NULL AND email IS NOT NULL";
  test("a wrong code takes nothing away", async () => {
    await setUser("is_verified = false");
    const code = await requestCode();
    await verify(wrong(code));
    expect(await countRows(service, "users", untouched)).toBe(1);
  });

  test("an inactive one stays as it is", async () => {
    await setUser("is_verified = false, is_active = false");
    expect(outcome(await verify(await requestCode()))).toBe("403 ACCOUNT_INACTIVE");
    expect(await countRows(service, "users", untouched)).toBe(1);
  });
});

describe("with MFA", () => {
  test("needs a code of it too, and its own stays good until then", async () => {
    const { secret } = await enrol(service, clock, user);
    const code = await requestCode();
    expect(outcome(await verify(code))).toBe("403 MFA_REQUIRED");
    expect(outcome(await verify(code, { mfa_code: null }))).toBe("403 MFA_REQUIRED");
    expect(outcome(await verify(code, { mfa_code: wrongTotp(secret, clock) }))).toBe("401 INVALID_MFA_CODE");
    expect(await countRows(service, "auth_otp", "attempts = 1")).toBe(1);
    expect(outcome(await verify(code, { mfa_code: 123456 }))).toBe("401 INVALID_MFA_CODE");
    expect(outcome(await verify(code, { mfa_code: totp(secret, clock) }))).toBe("200");
    expect(await countRows(service, "auth_otp")).toBe(0);
  });

  test("a wrong one-time code uses no backup code up", async () => {
    const { backupCodes } = await enrol(service, clock, user);
    const code = await requestCode();
    const mfa_code = backupCodes[0] ?? "";
    expect(outcome(await verify(wrong(code), { mfa_code }))).toBe("401 INVALID_OTP");
    expect(outcome(await verify(code, { mfa_code }))).toBe("200");
  });

  test("after five wrong codes of either kind both are refused", async () => {
    const { secret } = await enrol(service, clock, user);
    const code = await requestCode();
    await verify(wrong(code));
    for (let count = 0; count < 4; count++)
      expect(outcome(await verify(code, { mfa_code: "" }))).toBe("401 INVALID_MFA_CODE");
    expect(outcome(await verify(code, { mfa_code: totp(secret, clock) }))).toBe("401 INVALID_OTP");
  });

  test("of twenty with one pair one succeeds", async () => {
    const { secret } = await enrol(service, clock, user);
    const code = await requestCode();
    const mfa_code = totp(secret, clock);
    const outcomes = await atOnce(20, () => verify(code, { mfa_code }));
    expect(outcomes).toEqual(["200", ...Array(19).fill("401 INVALID_OTP")]);
  });
});

describe("without an account", () => {
  beforeEach(() => service.store({}));

  test("makes one: verified, without an e-mail, with the role user; all hooks run", async () => {
    const reply = await verify(await requestCode());
    // biome-ignore format: related values together
    expect(reply.envelope.data).toEqual({
      user: { user_id: expect.any(Number), first_name: null, last_name: null, email: null, phone_number: phone, role: "user", is_active: true,
        created_at: moment, last_login_at: moment },
      ...tokens,
    });
    expect(firedHooks()).toEqual(["before_register", "after_register", "after_login"]);
    expect(stage.fired[0]?.value).toEqual({ email: null, password: null, phone_number: phone });
    expect(stage.fired[1]?.value).toMatchObject({
      statusCode: 200,
      status: "success",
      data: reply.envelope.data,
    });
    expect(await countRows(service, "users", "is_verified AND password IS NULL")).toBe(1);
    const { accessToken } = reply.envelope.data as { accessToken: string };
    expect(JSON.parse(atob(accessToken.split(".")[1] ?? ""))).toMatchObject({ email: "", role: "user" });
    const headers = { authorization: `Bearer ${accessToken}` };
    const me = await service.send({ method: "GET", path: "/auth/me", headers });
    expect(me.envelope.data).toMatchObject({ email: null, is_verified: true });
  });

  test("the same number again signs in to the same account", async () => {
    const first = await verify(await requestCode());
    const second = await verify(await requestCode());
    const ids = [first, second].map(
      ({ envelope }) => (envelope.data as { user: { user_id: number } }).user.user_id,
    );
    expect(ids[0]).toBe(ids[1]);
    expect(await countRows(service, "users")).toBe(1);
  });

  test("of twenty first logins at once one makes one account", async () => {
    const code = await requestCode();
    expect(await atOnce(20, () => verify(code))).toEqual(["200", ...Array(19).fill("401 INVALID_OTP")]);
    expect(await countRows(service, "users")).toBe(1);
  });

  test("first logins with codes that follow each other give one account", async () => {
    const first = await requestCode();
    const one = verify(first);
    const second = await requestCode();
    const outcomes = await Promise.all([one, verify(second), verify(second)]);
    expect(outcomes.map(outcome)).toContain("200");
    expect(await countRows(service, "users")).toBe(1);
  });

  test("hooks may fill columns in, and set neither role nor state, e-mail nor password", async () => {
    const code = await requestCode();
    stage.hooks = {
      before_register: (value) =>
        Object.assign(value, {
          first_name: "Fay",
          email: "fay@example.com",
          password,
          role: "admin",
          is_active: false,
          phone_number: "+12025550199",
        }),
      after_register: (result) => ({ ...result, message: "welcome" }),
      after_login: (result) => ({ ...result, data: { ...result.data, extra: 1 } }),
    };
    const reply = await verify(code);
    expect(reply.envelope.message).toBe("welcome");
    expect(reply.envelope.data).toMatchObject({
      user: { first_name: "Fay", email: null, phone_number: phone, role: "user", is_active: true },
      extra: 1,
    });
    expect(await countRows(service, "users", "password IS NULL AND email IS NULL")).toBe(1);
  });

  test("a hook that withholds the tokens signs no user in", async () => {
    const code = await requestCode();
    stage.hooks = {
      after_register: ({ data: { user }, ...result }) => ({
        ...result,
        data: { user: { ...user, is_verified: true }, verification_email_sent: false },
      }),
    };
    const reply = await verify(code);
    expect(Object.keys(reply.envelope.data as object)).toEqual(["user", "verification_email_sent"]);
    expect(reply.headers["set-cookie"]).toBeUndefined();
    expect(await countRows(service, "auth_sessions")).toBe(0);
    expect(firedHooks()).toEqual(["before_register", "after_register"]);
  });

  test.each(["before_register", "after_register", "after_login"] as const)(
    "when %s refuses there is no account, and the code is still good",
    async (hook) => {
      const code = await requestCode();
      stage.hooks = {
        [hook]: () => {
          throw new ServiceError("PERMISSION_DENIED", "by invitation");
        },
      };
      expect(outcome(await verify(code))).toBe("403 PERMISSION_DENIED");
      expect(await countRows(service, "users")).toBe(0);
      stage.hooks = {};
      expect(outcome(await verify(code))).toBe("200");
    },
  );

  const sending = (name: string, body: Json, fails: string) => ({
    name,
    send: "POST /auth/verify-otp",
    body,
    fails,
  });
  scenarios(service, [
    sending("no code was sent", { phone_number: phone, otp: "123456" }, "401 INVALID_OTP"),
    sending("a code of another form", { phone_number: phone, otp: "x" }, "401 INVALID_OTP"),
    sending("no code", { phone_number: phone }, "400 VALIDATION_ERROR otp"),
    sending("a number", { phone_number: phone, otp: 123456 }, "400 VALIDATION_ERROR otp"),
    sending("no phone number", { otp: "123456" }, "400 VALIDATION_ERROR phone_number"),
    sending("a bad phone number", { phone_number: "123", otp: "1" }, "400 VALIDATION_ERROR phone_number"),
    sending("an unknown key", { phone_number: phone, otp: "1", role: "admin" }, "400 VALIDATION_ERROR role"),
  ]);
});
