import { beforeEach, describe, expect, test } from "vitest";
import { ServiceError } from "#runtime/index";
import type { Json } from "#vocabulary/json";
import { account, accounts, apiKey, countRows, password, session } from "../../support/accounts.ts";
import { testClock } from "../../support/clock.ts";
import { mailing } from "../../support/links.ts";
import { enrol, totp } from "../../support/mfa.ts";
import type { Reply } from "../../support/request.ts";
import { firedHooks, outcome, scenarios } from "../../support/scenarios.ts";
import { type TestService, testService } from "../../support/service.ts";
import { testSms } from "../../support/sms.ts";
import { testSmtp } from "../../support/smtp.ts";
import { watchedDatabase } from "../../support/watched-database.ts";
import { stage } from "../fixture/stage.ts";

const smtp = await testSmtp();
const sms = await testSms();
const clock = testClock();
const settings = {
  ...mailing(smtp),
  sms: sms.settings,
  auth: { securityNotices: false, cookieName: "session" },
  social: { placeholderDomain: "placeholder.example" },
};
const service = await testService(settings, { now: clock.now });

const email = "user1@example.com";
const phone = "+12025550123";
const given = accounts([account(1, { first_name: "Ann", phone_number: phone }), account(2)]);
const user = { role: "user", sub: "1" };
const refused = "401 INVALID_OTP";
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
const tokens = {
  accessToken: expect.stringMatching(/^eyJ/),
  refreshToken: expect.stringMatching(/^eyJ/),
  expiresIn: 3600,
};

const post = (path: string, body: Json, to: TestService = service) =>
  to.send({ method: "POST", path: `/auth/${path}`, body });
const ask = (to = email, of: TestService = service) => post("request-email-code", { email: to }, of);
/** Requests a code, and returns the mailed one. */
async function requestCode(to = email, of: TestService = service): Promise<string> {
  expect(outcome(await ask(to, of))).toBe("200");
  await of.settled();
  const mail = smtp.mails.findLast((one) => one.to.includes(to));
  return /\b\d{6}\b/.exec(mail?.text ?? "")?.[0] ?? "none";
}
const verify = (code: string, rest: Record<string, Json> = {}) =>
  post("verify-email-code", { email, code, ...rest });
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");
const atOnce = async (count: number, send: () => Promise<Reply>) =>
  (await Promise.all(Array.from({ length: count }, send))).map(outcome).sort();
const setUser = (assignment: string) => service.query(`UPDATE users SET ${assignment} WHERE id = 1`);

beforeEach(async () => {
  await service.settled();
  Object.assign(stage, { hooks: {}, fired: [] });
  await service.store(given);
});

describe("POST /auth/request-email-code", () => {
  test("mails six digits to every address, and answers the same", async () => {
    const replies: unknown[] = [];
    for (const to of [email, "nobody@example.com", " USER2@example.com "]) {
      const { status, envelope } = await ask(to);
      expect(status).toBe(200);
      replies.push(envelope);
      await service.settled();
    }
    expect(new Set(replies.map((reply) => JSON.stringify(reply)))).toHaveProperty("size", 1);
    expect(replies[0]).toMatchObject({ status: "success", data: {} });
    const [known, unknown, other] = smtp.mails.slice(-3);
    expect(known?.subject).toMatch(/^Your sign-in code at /);
    expect(known?.text).toMatch(/^Hello Ann,\n\n\d{6} is the code .* as user1@example\.com\..*10 minutes/s);
    expect(unknown?.text).toMatch(/^Hello,\n\n\d{6} /);
    expect([unknown?.to, other?.to]).toEqual([["nobody@example.com"], ["user2@example.com"]]);
    expect(
      await countRows(service, "auth_otp", "code_hash ~ '^[0-9a-f]{64}$' AND phone_number IS NULL"),
    ).toBe(3);
  });

  test("answers before it looks the account up", async () => {
    let looked = Promise.resolve();
    const other = await testService(settings, {
      watch: (database) =>
        watchedDatabase(database, (connection) => async (statement, values) => {
          if (statement.text.endsWith("where email = $1")) await looked;
          return connection.run(statement, values);
        }),
    });
    let resolve = () => {};
    looked = new Promise((done) => {
      resolve = done;
    });
    expect(outcome(await ask(email, other))).toBe("200");
    resolve();
    await other.settled();
  });

  test("mails nothing to an inactive account and to a placeholder", async () => {
    await setUser("is_active = false");
    const before = smtp.mails.length;
    for (const to of [email, "tiktok_7@placeholder.example"]) expect(outcome(await ask(to))).toBe("200");
    await service.settled();
    expect(smtp.mails).toHaveLength(before);
    expect(await countRows(service, "auth_otp")).toBe(0);
  });

  test("beyond the limit of the recipient keeps the code that was sent", async () => {
    const limited = await testService(
      { ...settings, email: { ...settings.email, hourlyLimitPerRecipient: 1 } },
      { now: clock.now },
    );
    await limited.store(given);
    const code = await requestCode(email, limited);
    expect(outcome(await ask(email, limited))).toBe("200");
    await limited.settled();
    expect(outcome(await post("verify-email-code", { email, code }, limited))).toBe("200");
  });

  test("without a mail provider is 503; without email_codes the routes do not exist", async () => {
    const silent = await testService();
    expect(outcome(await ask(email, silent))).toBe("503 HTTP_ERROR");
    const off = await testService({ authPrefix: "/members", auth: { emailCodes: false } });
    for (const path of ["request-email-code", "verify-email-code"]) {
      const reply = await off.send({ method: "POST", path: `/members/${path}`, body: { email, code: "1" } });
      expect(outcome(reply)).toBe("404 NOT_FOUND");
    }
  });
});

describe("POST /auth/verify-email-code with an account", () => {
  test("signs in, once, with the user of a login", async () => {
    const code = await requestCode();
    const reply = await verify(code);
    // biome-ignore format: related values together
    expect(reply.envelope.data).toEqual({
      user: { user_id: 1, email, first_name: "Ann", last_name: null, phone_number: phone, role: "user", is_verified: true, created_at: moment,
        last_login_at: moment },
      ...tokens,
    });
    expect(reply.headers["set-cookie"]?.[0]).toMatch(/^session=eyJ/);
    expect(firedHooks()).toEqual(["after_login"]);
    expect(await countRows(service, "auth_sessions", "signed_in_with = '{email_code}'")).toBe(1);
    expect(await countRows(service, "auth_otp")).toBe(0);
    expect(outcome(await verify(code))).toBe(refused);
  });

  test("for ten minutes", async () => {
    const code = await requestCode();
    clock.pass(600);
    expect(outcome(await verify(code))).toBe(refused);
    const later = await requestCode();
    clock.pass(599);
    expect(outcome(await verify(later))).toBe("200");
  });

  test("a new request voids the older code", async () => {
    const first = await requestCode();
    let second = await requestCode();
    while (second === first) second = await requestCode();
    expect(outcome(await verify(first))).toBe(refused);
    expect(outcome(await verify(second))).toBe("200");
  });

  test("not with a code for another address, or for a phone number", async () => {
    const others = await requestCode("user2@example.com");
    await post("request-otp", { phone_number: phone });
    const own = await requestCode();
    for (const code of [others, sms.codeOf(phone)])
      if (code !== own) expect(outcome(await verify(code))).toBe(refused);
    const hashes = await service.query("SELECT code_hash FROM auth_otp WHERE email IS NOT NULL");
    await service.query(
      `UPDATE auth_otp SET code_hash = '${hashes[0]?.["code_hash"]}' WHERE email = '${email}'`,
    );
    expect(outcome(await verify(others))).toBe(refused);
  });

  test("after four wrong tries, not after five; and not after twenty in an hour", async () => {
    const code = await requestCode();
    for (let count = 0; count < 4; count++) expect(outcome(await verify(wrong(code)))).toBe(refused);
    expect(outcome(await verify(code))).toBe("200");
    for (let round = 0; round < 4; round++) {
      const next = await requestCode();
      for (let count = 0; count < 5; count++) await verify(wrong(next));
      expect(outcome(await verify(next))).toBe(refused);
    }
    expect(outcome(await verify(await requestCode()))).toBe(refused);
    clock.pass(60 * 60 + 1);
    expect(outcome(await verify(await requestCode()))).toBe("200");
  });

  test("of fifty at once one succeeds", async () => {
    const code = await requestCode();
    expect(await atOnce(50, () => verify(code))).toEqual(["200", ...Array(49).fill(refused)]);
    expect(await countRows(service, "auth_sessions")).toBe(1);
  });

  test("an inactive account is refused as a wrong code is", async () => {
    const code = await requestCode();
    await setUser("is_active = false, is_verified = false");
    const inactive = await verify(code);
    const mistaken = await verify(wrong(code));
    expect(inactive.envelope).toEqual(mistaken.envelope);
    expect(outcome(inactive)).toBe(refused);
    expect(await countRows(service, "users", "id = 1 AND NOT is_verified AND password IS NOT NULL")).toBe(1);
  });

  test("a hook that refuses leaves the code as it was", async () => {
    const code = await requestCode();
    stage.hooks = {
      after_login() {
        throw new ServiceError("PERMISSION_DENIED", "not today");
      },
    };
    expect(outcome(await verify(code))).toBe("403 PERMISSION_DENIED");
    stage.hooks = {};
    expect(outcome(await verify(code))).toBe("200");
  });

  test("neither codes nor addresses are in the log", async () => {
    const code = await requestCode();
    await verify(wrong(code));
    await verify(code);
    const log = JSON.stringify(service.log.map(({ msg, err, url, path }) => [msg, err, url, path]));
    for (const text of [code, email]) expect(log).not.toContain(text);
  });

  test("is a way to sign in of a verified account", async () => {
    const { accessToken } = Object((await verify(await requestCode())).envelope.data);
    clock.pass(10 * 60);
    const change = {
      method: "POST",
      path: "/auth/change-email",
      body: { new_email: "new@example.com" },
      headers: { authorization: `Bearer ${accessToken}` },
    };
    const methods = async () => (await service.send(change)).envelope.details?.["methods"];
    expect(await methods()).toEqual(["password", "email_code", "phone_code"]);
    await setUser("is_verified = false");
    expect(await methods()).toEqual(["phone_code"]);
  });

  test("is not a way to sign in without a mail provider", async () => {
    const silent = await testService();
    await silent.store(given);
    const reply = await silent.send({ method: "GET", path: "/auth/account" }, user);
    expect(Object(reply.envelope.data).sign_in).toMatchObject({ password: true, email_code: false });
  });
});

test("with a second factor needs its code too; MFA_REQUIRED leaves the code good", async () => {
  const { secret } = await enrol(service, clock, user);
  const code = await requestCode();
  expect(outcome(await verify(code))).toBe("403 MFA_REQUIRED");
  expect(outcome(await verify(code, { mfa_code: "x" }))).toBe("401 INVALID_MFA_CODE");
  expect(await countRows(service, "auth_otp", "attempts = 1")).toBe(1);
  expect(outcome(await verify(code, { mfa_code: totp(secret, clock) }))).toBe("200");
  expect(await countRows(service, "auth_sessions", "signed_in_with = '{email_code,totp}'")).toBe(1);
});

test("an account that was never verified is taken over", async () => {
  const social = { user_id: 1, provider: "google-oauth2", uid: "x" };
  const [key, refresh] = [apiKey(1), session(1)];
  await service.store({
    ...accounts(
      [account(1, { is_verified: false, phone_number: phone }), account(2)],
      [key.row, refresh.row],
    ),
    auth_social: [social, { ...social, user_id: 2, uid: "y" }],
  });
  await post("request-otp", { phone_number: phone });
  await enrol(service, clock, user);
  const reply = await verify(await requestCode());
  expect(reply.envelope.data).toMatchObject({ user: { user_id: 1, email } });
  const bare = "id = 1 AND is_verified AND password IS NULL AND phone_number IS NULL";
  expect(await countRows(service, "users", bare)).toBe(1);
  for (const table of ["auth_mfa", "auth_otp", "auth_social WHERE user_id = 1 --"])
    expect(await countRows(service, table)).toBe(0);
  expect(await countRows(service, "auth_social")).toBe(1);
  expect(await countRows(service, "auth_tokens", "user_id = 1")).toBe(1);
  expect(outcome(await post("login", { email, password }))).toBe("401 INVALID_CREDENTIALS");
});

describe("without an account", () => {
  beforeEach(() => service.store({}));

  test("makes one: verified, without a password, with the role user; all hooks run", async () => {
    const reply = await verify(await requestCode());
    // biome-ignore format: related values together
    expect(reply.envelope.data).toEqual({
      user: { user_id: expect.any(Number), email, first_name: null, last_name: null, phone_number: null, role: "user", is_verified: true,
        created_at: moment, last_login_at: moment },
      ...tokens,
    });
    expect(firedHooks()).toEqual(["before_register", "after_register", "after_login"]);
    expect(stage.fired[0]?.value).toEqual({ email, password: null, phone_number: null });
    expect(stage.fired[1]?.value).toMatchObject({ statusCode: 200, data: reply.envelope.data });
    expect(await countRows(service, "users", "is_verified AND password IS NULL")).toBe(1);
    expect(await countRows(service, "auth_sessions", "signed_in_with = '{email_code}'")).toBe(1);
  });

  test("hooks set neither role nor state, e-mail nor password", async () => {
    const code = await requestCode();
    stage.hooks = {
      before_register: (value) =>
        Object.assign(value, { first_name: "Fay", email: "fay@example.com", password, role: "admin" }),
    };
    expect((await verify(code)).envelope.data).toMatchObject({
      user: { first_name: "Fay", email, role: "user" },
    });
    expect(await countRows(service, "users", "password IS NULL")).toBe(1);
  });

  test("of twenty first sign-ins at once one makes one account", async () => {
    const code = await requestCode();
    expect(await atOnce(20, () => verify(code))).toEqual(["200", ...Array(19).fill(refused)]);
    expect(await countRows(service, "users")).toBe(1);
  });

  test("an address that is registered at the same moment is taken over", async () => {
    const code = await requestCode();
    stage.hooks = {
      async before_register(value) {
        stage.hooks = {};
        await post("register", { email, password });
        return value;
      },
    };
    expect(outcome(await verify(code))).toBe("200");
    expect(await countRows(service, "users", "is_verified AND password IS NULL")).toBe(1);
  });

  const sending = (name: string, body: Json, fails: string) => ({
    name,
    send: "POST /auth/verify-email-code",
    body,
    fails,
  });
  scenarios(service, [
    sending("no code was sent", { email, code: "123456" }, refused),
    sending("a code of another form", { email, code: "x" }, refused),
    sending("no code", { email }, "400 VALIDATION_ERROR code"),
    sending("a number", { email, code: 123456 }, "400 VALIDATION_ERROR code"),
    sending("no address", { code: "123456" }, "400 VALIDATION_ERROR email"),
    sending("a bad address", { email: "x", code: "1" }, "400 VALIDATION_ERROR email"),
    sending("an unknown key", { email, code: "1", role: "admin" }, "400 VALIDATION_ERROR role"),
  ]);
});
