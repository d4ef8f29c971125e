import { beforeEach, describe, expect, test } from "vitest";
import { ServiceError } from "#runtime/index";
import type { Json } from "#vocabulary/json";
import { account, accounts, apiKey, countRows, password } from "../../support/accounts.ts";
import { Authenticator, type Forgery, flags } from "../../support/authenticator.ts";
import { testClock } from "../../support/clock.ts";
import { mailing } from "../../support/links.ts";
import { enrol, totp } from "../../support/mfa.ts";
import type { Reply } from "../../support/request.ts";
import { firedHooks, outcome } from "../../support/scenarios.ts";
import { type TestService, testService } from "../../support/service.ts";
import { tokenOf } from "../../support/service-token.ts";
import { testSms } from "../../support/sms.ts";
import { testSmtp } from "../../support/smtp.ts";
import { stage } from "../fixture/stage.ts";

const smtp = await testSmtp();
const sms = await testSms();
const clock = testClock();
const origin = "https://app.example.com";
const site = { rpId: "example.com", rpName: "Shop", origins: [origin, "https://example.com"] };
const auth = { passkeys: site, cookieName: "session", securityNotices: true };
const settings = { ...mailing(smtp), sms: sms.settings, auth };
const service = await testService(settings, { now: clock.now });

const email = "user1@example.com";
const phone = "+12025550123";
const user = { role: "user", sub: "1" };
const failed = "401 PASSKEY_FAILED";
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);

const send = (line: string, body?: Json, token?: string, to: TestService = service) => {
  const [method = "", path = ""] = line.split(" ");
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return to.send({ method, path: `/auth/${path}`, headers, ...(body !== undefined && { body }) });
};
const dataOf = (reply: Reply) => {
  expect(outcome(reply), reply.text).toBe("200");
  return Object(reply.envelope.data);
};
const login = async (id = 1) =>
  dataOf(await send("POST login", { email: `user${id}@example.com`, password })).accessToken as string;
const optionsFor = async (token: string) =>
  dataOf(await send("POST passkeys/register-options", {}, token)).options;
const register = async (key: Authenticator, token: string, forged: Forgery = {}) =>
  send("POST passkeys/register", { response: key.create(await optionsFor(token), forged) }, token);
/** A registered passkey of a user. */
const passkeyOf = async (id = 1, forged: Forgery = {}) => {
  const key = new Authenticator(origin);
  dataOf(await register(key, await login(id), forged));
  return key;
};
const loginOptions = async (): Promise<Json> => dataOf(await send("POST passkeys/login-options", {})).options;
const use = async (key: Authenticator, forged: Forgery = {}) =>
  send("POST passkeys/login", { response: key.get(await loginOptions(), forged) });
const events = (name: string) => service.log.filter(({ event }) => event === name);
const refusals = () => service.log.filter(({ msg }) => msg === "a passkey was refused");
const setUser = (assignment: string) => service.query(`UPDATE users SET ${assignment} WHERE id = 1`);
const atOnce = async (count: number, act: () => Promise<Reply>) =>
  (await Promise.all(Array.from({ length: count }, act))).map(outcome).sort();

beforeEach(async () => {
  await service.settled();
  service.log.length = 0;
  Object.assign(stage, { hooks: {}, fired: [] });
  await service.store(
    accounts([account(1, { first_name: "Ann", last_name: "Li", phone_number: phone }), account(2)]),
  );
});

describe("registration", () => {
  test("options are exactly these", async () => {
    const token = await login();
    const options = await optionsFor(token);
    // biome-ignore format: related values together
    expect(options).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/), rp: { id: "example.com", name: "Shop" },
      user: { id: expect.stringMatching(/^[\w-]{43}$/), name: email, displayName: "Ann Li" },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: "public-key", alg })), timeout: 300_000, excludeCredentials: [],
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
      attestation: "none", extensions: { credProps: true },
    });
    const end = Buffer.from(options.challenge, "base64url").readUInt32BE();
    expect(end).toBe(Math.floor(clock.now() / 1000) + 300);
    const key = await passkeyOf();
    const next = await optionsFor(token);
    expect(next.user.id).toBe(options.user.id);
    const id = key.credentialId.toString("base64url");
    expect(next.excludeCredentials).toEqual([{ type: "public-key", id, transports: ["internal"] }]);
    expect((await optionsFor(await login(2))).user.id).not.toBe(options.user.id);
  });

  test("stores the passkey; its owner gets a mail and the log an event", async () => {
    const token = await login();
    const key = new Authenticator(origin);
    const response = key.create(await optionsFor(token), {
      flags: flags.up | flags.uv | flags.be | flags.bs,
      transports: ["internal", "hybrid", 7, "x".repeat(100)],
    });
    const passkey = dataOf(await send("POST passkeys/register", { response, name: "My phone" }, token));
    // biome-ignore format: related values together
    expect(passkey).toEqual({
      id: expect.any(Number), name: "My phone", device_type: "multiDevice", backed_up: true, transports: ["internal", "hybrid"],
      aaguid: "00000000-0000-0000-0000-000000000000", created_at: moment, last_used_at: null,
    });
    expect(dataOf(await send("GET passkeys", undefined, token))).toEqual({ passkeys: [passkey] });
    await service.settled();
    expect(smtp.mails.at(-1)).toMatchObject({
      to: [email],
      subject: expect.stringMatching(/^A passkey was added/),
    });
    expect(events("passkey.added")).toMatchObject([{ user_id: "1", actor: "user", actor_id: "1" }]);
    const stored = await service.query("SELECT counter, user_handle, public_key FROM auth_passkeys");
    expect(Buffer.from(String(stored[0]?.["user_handle"]), "base64url")).toHaveLength(32);
  });

  test("a stored user handle wins, so that another secret changes none", async () => {
    await passkeyOf();
    await service.query("UPDATE auth_passkeys SET user_handle = 'of-an-older-secret'");
    const token = await login();
    expect((await optionsFor(token)).user.id).toBe("of-an-older-secret");
    dataOf(await register(new Authenticator(origin), token));
    expect(await countRows(service, "auth_passkeys", "user_handle = 'of-an-older-secret'")).toBe(2);
  });

  test("the session need not be recent any more, but must be alive and the one that asked", async () => {
    const token = await login();
    clock.pass(9 * 60);
    const options = await optionsFor(token);
    clock.pass(2 * 60);
    const key = new Authenticator(origin);
    const body = { response: key.create(options) };
    const others = await send("POST passkeys/register", body, await login());
    expect(outcome(others)).toBe(failed);
    expect(outcome(await send("POST passkeys/register-options", {}, token))).toBe(
      "403 REAUTHENTICATION_REQUIRED",
    );
    dataOf(await send("POST passkeys/register", body, token));
    const next = await login();
    const second = { response: new Authenticator(origin).create(await optionsFor(next)) };
    await service.query("DELETE FROM auth_tokens");
    expect(outcome(await send("POST passkeys/register", second, next))).toBe("401 TOKEN_REVOKED");
  });

  test("at most twenty", async () => {
    const token = await login();
    const options = await optionsFor(token);
    await service.query(`INSERT INTO auth_passkeys (user_id, credential_id, public_key, counter, user_handle, transports, device_type, backed_up, aaguid, name)
      SELECT 1, 'c' || n, 'k', 0, 'h', '{}', 'singleDevice', false, '00000000-0000-0000-0000-000000000000', 'n' FROM generate_series(1, 20) AS n`);
    const response = new Authenticator(origin).create(options);
    expect(outcome(await send("POST passkeys/register", { response }, token))).toBe("400 VALIDATION_ERROR");
    expect(outcome(await send("POST passkeys/register-options", {}, token))).toBe("400 VALIDATION_ERROR");
  });

  test("of many at once with challenges of their own, twenty at most are stored", async () => {
    const token = await login();
    await service.query(`INSERT INTO auth_passkeys (user_id, credential_id, public_key, counter, user_handle, transports, device_type, backed_up, aaguid, name)
      SELECT 1, 'c' || n, 'k', 0, 'h', '{}', 'singleDevice', false, '00000000-0000-0000-0000-000000000000', 'n' FROM generate_series(1, 19) AS n`);
    const responses = await Promise.all(
      Array.from({ length: 10 }, async () => new Authenticator(origin).create(await optionsFor(token))),
    );
    const replies = responses.map((response) => send("POST passkeys/register", { response }, token));
    const outcomes = (await Promise.all(replies)).map(outcome).sort();
    expect(outcomes).toEqual(["200", ...Array(9).fill("400 VALIDATION_ERROR")]);
  });

  test("of fifty at once with one challenge one succeeds", async () => {
    const token = await login();
    const options = await optionsFor(token);
    const outcomes = await atOnce(50, () =>
      send("POST passkeys/register", { response: new Authenticator(origin).create(options) }, token),
    );
    expect(outcomes).toEqual(["200", ...Array(49).fill(failed)]);
    expect(await countRows(service, "auth_passkeys")).toBe(1);
  });

  const named = (name: Json) => async (token: string) =>
    send(
      "POST passkeys/register",
      { response: new Authenticator(origin).create(await optionsFor(token)), name },
      token,
    );
  test.each<[string, Json, string]>([
    ["empty", "", "400 VALIDATION_ERROR name"],
    ["too long", "x".repeat(101), "400 VALIDATION_ERROR name"],
    ["with a line break", "a\nb", "400 VALIDATION_ERROR name"],
    ["of 100 characters", "😀".repeat(100), "200"],
  ])("a name %s", async (_, name, expected) => {
    expect(outcome(await named(name)(await login()))).toBe(expected);
  });
});

describe("sign-in", () => {
  test("options are the same for all callers", async () => {
    expect(await loginOptions()).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: "example.com",
      timeout: 300_000,
      userVerification: "required",
      allowCredentials: [],
    });
  });

  test("answers as a login, without the second factor", async () => {
    await enrol(service, clock, user);
    await service.query("UPDATE auth_mfa SET enabled = false");
    const key = await passkeyOf();
    await service.query("UPDATE auth_mfa SET enabled = true");
    Object.assign(stage, { fired: [] });
    const body = { response: key.get(await loginOptions()), device_token: "ignored" };
    const reply = await send("POST passkeys/login", body);
    const { user: shown, accessToken } = dataOf(reply);
    expect(shown).toMatchObject({ user_id: 1, email, is_verified: true, last_login_at: moment });
    expect(reply.headers["set-cookie"]?.[0]).toContain(`session=${accessToken};`);
    expect(firedHooks()).toEqual(["after_login"]);
    expect(await countRows(service, "auth_sessions", "signed_in_with = '{passkey}'")).toBe(1);
    const { passkeys } = dataOf(await send("GET passkeys", undefined, accessToken));
    expect(passkeys).toMatchObject([{ last_used_at: moment }]);
    // It is a recent sign-in.
    expect(outcome(await send("POST passkeys/register-options", {}, accessToken))).toBe("200");
  });

  test.each<[string, string, string]>([
    ["an inactive account", "is_active = false, is_verified = false", "403 ACCOUNT_INACTIVE"],
    ["an address that is not verified", "is_verified = false", "403 EMAIL_NOT_VERIFIED"],
  ])("%s is refused as at login, and the challenge is used up", async (_, assignment, refusal) => {
    const key = await passkeyOf();
    const body = { response: key.get(await loginOptions()) };
    await setUser(assignment);
    expect(outcome(await send("POST passkeys/login", body))).toBe(refusal);
    await setUser("is_active = true, is_verified = true");
    expect(outcome(await send("POST passkeys/login", body))).toBe(failed);
  });

  test("a hook that refuses has the challenge used up too", async () => {
    const key = await passkeyOf();
    const body = { response: key.get(await loginOptions()) };
    stage.hooks = {
      after_login() {
        throw new ServiceError("PERMISSION_DENIED", "not today");
      },
    };
    expect(outcome(await send("POST passkeys/login", body))).toBe("403 PERMISSION_DENIED");
    stage.hooks = {};
    expect(outcome(await send("POST passkeys/login", body))).toBe(failed);
  });

  test("of fifty at once with one challenge one succeeds", async () => {
    const key = await passkeyOf();
    const body = { response: key.get(await loginOptions()) };
    const before = await countRows(service, "auth_sessions");
    expect(await atOnce(50, () => send("POST passkeys/login", body))).toEqual([
      "200",
      ...Array(49).fill(failed),
    ]);
    expect(await countRows(service, "auth_sessions")).toBe(before + 1);
  });

  test("a deleted passkey, and one of a deleted user, is refused", async () => {
    const [key, other] = [await passkeyOf(), await passkeyOf(2)];
    await service.query("DELETE FROM auth_passkeys WHERE user_id = 1");
    await service.query("DELETE FROM users WHERE id = 2");
    expect([outcome(await use(key)), outcome(await use(other))]).toEqual([failed, failed]);
  });
});

describe("the counter", () => {
  test.each<[stored: number, sent: number, expected: string]>([
    [0, 0, "200"],
    [0, 1, "200"],
    [5, 6, "200"],
    [5, 5, failed],
    [5, 4, failed],
    [5, 0, failed],
  ])("stored %i, sent %i: %s", async (stored, counter, expected) => {
    const key = await passkeyOf(1, { counter: stored });
    await service.settled();
    const mails = smtp.mails.length;
    expect(outcome(await use(key, { counter }))).toBe(expected);
    await service.settled();
    const isRefused = expected === failed;
    expect(await countRows(service, "auth_passkeys", `counter = ${isRefused ? stored : counter}`)).toBe(1);
    expect(events("passkey.counter").map(({ level, user_id }) => [level, user_id])).toEqual(
      isRefused ? [[40, "1"]] : [],
    );
    const told = smtp.mails.slice(mails).map(({ to, subject }) => [to, subject]);
    expect(told).toEqual(isRefused ? [[[email], expect.stringMatching(/can be a copy/)]] : []);
  });

  test("of equal ones at once one wins", async () => {
    const key = await passkeyOf(1, { counter: 5 });
    expect(await atOnce(20, () => use(key, { counter: 6 }))).toEqual(["200", ...Array(19).fill(failed)]);
    expect(await countRows(service, "auth_passkeys", "counter = 6")).toBe(1);
  });

  test("an unsigned answer raises neither event nor mail", async () => {
    const key = await passkeyOf(1, { counter: 5 });
    await service.settled();
    const mails = smtp.mails.length;
    expect(outcome(await use(key, { counter: 4, signedBy: new Authenticator(origin).privateKey }))).toBe(
      failed,
    );
    await service.settled();
    expect(events("passkey.counter")).toEqual([]);
    expect(smtp.mails.length).toBe(mails);
  });
});

describe("as second factor", () => {
  const first = { email, password };
  let key: Authenticator;
  let secret: string;
  beforeEach(async () => {
    key = await passkeyOf();
    ({ secret } = await enrol(service, clock, user));
  });
  const asked = async (line = "POST login", body: { [name: string]: Json } = first) => {
    const reply = await send(line, body);
    expect(outcome(reply)).toBe("403 MFA_REQUIRED");
    return Object(reply.envelope.details);
  };

  test("the answer to a right password offers it; it replaces the code", async () => {
    const { methods, passkey_options: options } = await asked();
    expect(methods).toEqual(["code", "passkey"]);
    const id = key.credentialId.toString("base64url");
    expect(options).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: "example.com",
      timeout: 300_000,
      userVerification: "required",
      allowCredentials: [{ type: "public-key", id, transports: ["internal"] }],
    });
    const body = { ...first, passkey: key.get(options) };
    dataOf(await send("POST login", body));
    expect(await countRows(service, "auth_sessions", "signed_in_with = '{password,passkey}'")).toBe(1);
    expect(outcome(await send("POST login", body))).toBe(failed);
    const wrong = await send("POST login", { email, password: "wrong" });
    expect([outcome(wrong), wrong.envelope.details]).toEqual(["401 INVALID_CREDENTIALS", undefined]);
  });

  test("of codes by text message and by mail too, which stay good until then", async () => {
    await send("POST request-otp", { phone_number: phone });
    await send("POST request-email-code", { email });
    await service.settled();
    const code = /\b\d{6}\b/.exec(smtp.mails.findLast(({ to }) => to.includes(email))?.text ?? "")?.[0] ?? "";
    for (const [line, body] of [
      ["POST verify-otp", { phone_number: phone, otp: sms.codeOf(phone) }],
      ["POST verify-email-code", { email, code }],
    ] as const) {
      const { passkey_options: options } = await asked(line, body);
      const bad = key.get(options, { origin: "https://evil.example" });
      expect(outcome(await send(line, { ...body, passkey: bad }))).toBe(failed);
      dataOf(await send(line, { ...body, passkey: key.get(options) }));
    }
    expect(await countRows(service, "auth_otp")).toBe(0);
  });

  test("of many at once with one challenge one succeeds", async () => {
    const body = { ...first, passkey: key.get((await asked()).passkey_options) };
    const before = await countRows(service, "auth_sessions");
    // The queue of passwords takes eight of one account.
    expect(await atOnce(8, () => send("POST login", body))).toEqual(["200", ...Array(7).fill(failed)]);
    expect(await countRows(service, "auth_sessions")).toBe(before + 1);
  });

  test("a refused one is no wrong try", async () => {
    for (let count = 0; count < 12; count++) {
      const passkey = key.get((await asked()).passkey_options, { userHandle: null });
      expect(outcome(await send("POST login", { ...first, passkey }))).toBe(failed);
    }
    expect(await countRows(service, "auth_mfa", "failed_attempts = 0")).toBe(1);
    expect(events("passkey.refused")).toHaveLength(12);
    dataOf(await send("POST login", { ...first, mfa_code: totp(secret, clock) }));
  });

  test("another user's passkey is refused, and challenges of other purposes and users", async () => {
    const other = await passkeyOf(2);
    const { passkey_options: options } = await asked();
    const tried = [other.get(options), key.get(await loginOptions())];
    for (const passkey of tried)
      expect(outcome(await send("POST login", { ...first, passkey }))).toBe(failed);
    expect(outcome(await send("POST passkeys/login", { response: key.get(options) }))).toBe(failed);
    await enrol(service, clock, { role: "user", sub: "2" });
    const theirs = { email: "user2@example.com", password };
    const { passkey_options: foreign } = await asked("POST login", theirs);
    expect(outcome(await send("POST login", { ...first, passkey: key.get(foreign) }))).toBe(failed);
  });

  test("both factors, or no object, is 400, before the password is checked", async () => {
    const both = { passkey: {}, mfa_code: "1" };
    for (const [line, body] of [
      ["POST login", { email, password: "wrong" }],
      ["POST verify-otp", { phone_number: phone, otp: "x" }],
      ["POST verify-email-code", { email, code: "x" }],
    ] as const) {
      expect(outcome(await send(line, { ...body, ...both }))).toBe("400 VALIDATION_ERROR passkey");
      expect(outcome(await send(line, { ...body, passkey: "x" }))).toBe("400 VALIDATION_ERROR passkey");
    }
  });

  test("an account without passkeys gets the contract's answer", async () => {
    await service.query("DELETE FROM auth_passkeys");
    const reply = await send("POST login", first);
    expect([outcome(reply), reply.envelope.details]).toEqual(["403 MFA_REQUIRED", undefined]);
  });
});

describe("passkeys of the account", () => {
  test("are listed, renamed and deleted by their owner only", async () => {
    await passkeyOf();
    await passkeyOf();
    const token = await login();
    const { passkeys } = dataOf(await send("GET passkeys", undefined, token));
    const [first, second] = passkeys;
    expect(first.id).toBeLessThan(second.id);
    const path = `passkeys/${first.id}`;
    const theirs = await login(2);
    for (const id of [first.id, 999, "x", "1e3", "9".repeat(30)]) {
      const as = id === first.id ? theirs : token;
      expect(outcome(await send(`PATCH passkeys/${id}`, { name: "x" }, as))).toBe("404 NOT_FOUND");
      expect(outcome(await send(`DELETE passkeys/${id}`, undefined, as))).toBe("404 NOT_FOUND");
    }
    expect(dataOf(await send(`PATCH ${path}`, { name: "Laptop" }, token))).toEqual({
      ...first,
      name: "Laptop",
    });
    expect(outcome(await send(`PATCH ${path}`, { name: "a\u0007" }, token))).toBe(
      "400 VALIDATION_ERROR name",
    );
    expect(dataOf(await send(`DELETE ${path}`, undefined, token))).toEqual({});
    await service.settled();
    expect(smtp.mails.at(-1)?.subject).toMatch(/^A passkey was removed/);
    const named = ["passkey.renamed", "passkey.removed"].map((name) => events(name).length);
    expect(named).toEqual([1, 1]);
    expect(dataOf(await send("GET passkeys", undefined, token))).toEqual({ passkeys: [second] });
  });

  test("deleting needs a recent sign-in, renaming does not", async () => {
    await passkeyOf();
    const token = await login();
    const { passkeys } = dataOf(await send("GET passkeys", undefined, token));
    clock.pass(10 * 60);
    dataOf(await send(`PATCH passkeys/${passkeys[0].id}`, { name: "x" }, token));
    const reply = await send(`DELETE passkeys/${passkeys[0].id}`, undefined, token);
    expect(outcome(reply)).toBe("403 REAUTHENTICATION_REQUIRED");
    expect(reply.envelope.details?.["methods"]).toContain("passkey");
  });

  test("the last way to sign in stays, also of two that are deleted at once", async () => {
    const [key] = [await passkeyOf(), await passkeyOf()];
    await setUser("password = NULL, phone_number = NULL, email = NULL");
    const { accessToken: token } = dataOf(await use(key));
    const { passkeys } = dataOf(await send("GET passkeys", undefined, token));
    const replies = await Promise.all(
      passkeys.map(({ id }: { id: number }) => send(`DELETE passkeys/${id}`, undefined, token)),
    );
    expect(replies.map(outcome).sort()).toEqual(["200", "409 LAST_SIGN_IN_METHOD"]);
    expect(await countRows(service, "auth_passkeys")).toBe(1);
  });

  test("of two ways that are removed at once one stays", async () => {
    await passkeyOf();
    const token = await login();
    await setUser("password = NULL, is_verified = false");
    const { passkeys } = dataOf(await send("GET passkeys", undefined, token));
    const lines = ["DELETE phone", `DELETE passkeys/${passkeys[0].id}`];
    const replies = await Promise.all(lines.map((line) => send(line, undefined, token)));
    expect(replies.map(outcome).sort()).toEqual(["200", "409 LAST_SIGN_IN_METHOD"]);
  });

  test("a reset of a verified account keeps them", async () => {
    const key = await passkeyOf();
    await send("POST request-reset-password", { email });
    await service.settled();
    const link = smtp.mails.findLast(({ subject }) => subject.startsWith("Set a new password"))?.link ?? "";
    const token = new URL(link).searchParams.get("token") ?? "";
    const passwords = { new_password: "Another-Horse-2?", confirm_password: "Another-Horse-2?" };
    dataOf(await send("POST reset-password", { token, ...passwords }));
    dataOf(await use(key));
  });
});

test("API keys and tokens without a session cannot make passkeys", async () => {
  const key = apiKey(1);
  await service.store(accounts([account(1)], [key.row]));
  const headers = { "x-api-key": key.key };
  for (const path of ["passkeys/register-options", "passkeys/register"]) {
    const reply = await service.send({ method: "POST", path: `/auth/${path}`, headers, body: {} });
    expect(outcome(reply)).toBe("401 MISSING_TOKEN");
  }
  const token = tokenOf(user);
  expect(outcome(await send("POST passkeys/register-options", {}, token))).toBe(
    "403 REAUTHENTICATION_REQUIRED",
  );
  expect(outcome(await send("POST passkeys/register", { response: {} }, token))).toBe("401 TOKEN_REVOKED");
});

test("without auth.passkeys neither the routes nor the keys of bodies exist", async () => {
  const off = await testService({ authPrefix: "/members", auth: { passkeys: null } });
  await off.store(accounts([account(1)]));
  for (const line of ["GET passkeys", "POST passkeys/login", "DELETE passkeys/1"]) {
    const [method = "", path = ""] = line.split(" ");
    const reply = await off.send({ method, path: `/members/${path}`, body: {} }, user);
    expect(outcome(reply)).toBe("404 NOT_FOUND");
  }
  const body = { email, password, passkey: {} };
  const reply = await off.send({ method: "POST", path: "/members/login", body });
  expect(outcome(reply)).toBe("400 VALIDATION_ERROR passkey");
});

/** Each is right but for one thing. */
const hostile: readonly (readonly [name: string, forged: Forgery])[] = [
  ["a challenge that was not made here", { challenge: Buffer.alloc(32, 7).toString("base64url") }],
  ["a challenge of another length", { challenge: "AAAA" }],
  ["the type of another ceremony", { type: "payment.get" }],
  ["another origin", { origin: "https://evil.example" }],
  ["a subdomain of an origin", { origin: "https://x.app.example.com" }],
  ["another port", { origin: "https://app.example.com:8443" }],
  ["http", { origin: "http://app.example.com" }],
  ["an origin with a slash", { origin: "https://app.example.com/" }],
  ["a frame of another origin", { crossOrigin: true }],
  ["a frame of another origin, which is named", { crossOrigin: true, topOrigin: "https://evil.example" }],
  ["another site", { rpId: "evil.example" }],
  ["no user presence", { flags: flags.uv }],
  ["no user verification", { flags: flags.up }],
  ["backed up, and not eligible for it", { flags: flags.up | flags.uv | flags.bs }],
];

describe("a registration is refused with", () => {
  test.each<readonly [string, Forgery]>([
    ...hostile,
    ["the type of a sign-in", { type: "webauthn.get" }],
    ["an algorithm that was not offered", { alg: -35 }],
    ["a passkey that the device did not store", { credProps: { rk: false } }],
    ["an attestation with a certificate", { attestation: ["packed", [["x5c", [Buffer.from("x")]]]] }],
    [
      "an attestation with a wrong signature",
      {
        attestation: [
          "packed",
          [
            ["alg", -7],
            ["sig", Buffer.from("x")],
          ],
        ],
      },
    ],
    ["an unknown attestation", { attestation: ["tpm", []] }],
  ])("%s", async (_, forged) => {
    const reply = await register(new Authenticator(origin), await login(), forged);
    expect(outcome(reply)).toBe(failed);
    expect(reply.envelope.message).toBe("The passkey was not accepted.");
    expect(reply.envelope.details).toBeUndefined();
    expect(await countRows(service, "auth_passkeys")).toBe(0);
    expect(refusals()).toMatchObject([{ level: 40, reason: expect.stringMatching(/./) }]);
    expect(events("passkey.refused")).toMatchObject([{ user_id: "1", actor_id: "1" }]);
  });

  test("a challenge that has ended, that was used, or is for a sign-in", async () => {
    const token = await login();
    const options = await optionsFor(token);
    const other = new Authenticator(origin).create({ ...Object(options), ...Object(await loginOptions()) });
    expect(outcome(await send("POST passkeys/register", { response: other }, token))).toBe(failed);
    clock.pass(300);
    const late = new Authenticator(origin).create(options);
    expect(outcome(await send("POST passkeys/register", { response: late }, token))).toBe(failed);
    const fresh = await optionsFor(token);
    dataOf(
      await send("POST passkeys/register", { response: new Authenticator(origin).create(fresh) }, token),
    );
    const again = new Authenticator(origin).create(fresh);
    expect(outcome(await send("POST passkeys/register", { response: again }, token))).toBe(failed);
  });

  test("a credential id that another user has; the challenge is used up", async () => {
    const { credentialId } = await passkeyOf(2);
    const token = await login();
    const options = await optionsFor(token);
    const known = new Authenticator(origin).create(options, { credentialId });
    expect(outcome(await send("POST passkeys/register", { response: known }, token))).toBe(failed);
    const fresh = new Authenticator(origin).create(options);
    expect(outcome(await send("POST passkeys/register", { response: fresh }, token))).toBe(failed);
    expect(await countRows(service, "auth_passkeys", "user_id = 1")).toBe(0);
  });
});

describe("a sign-in is refused with", () => {
  test.each<readonly [string, Forgery]>([
    ...hostile,
    ["the type of a registration", { type: "webauthn.create" }],
    ["no signature", { signature: null }],
    ["a signature of zeros", { signature: Buffer.alloc(70) }],
    ["the signature of another key", { signedBy: new Authenticator(origin).privateKey }],
    ["an unknown credential", { credentialId: Buffer.alloc(16, 9) }],
    ["no user handle", { userHandle: null }],
    ["another user handle", { userHandle: Buffer.alloc(32).toString("base64url") }],
    ["another backup eligibility", { flags: flags.up | flags.uv | flags.be }],
  ])("%s", async (_, forged) => {
    const key = await passkeyOf();
    service.log.length = 0;
    const sessions = await countRows(service, "auth_sessions");
    const reply = await use(key, forged);
    expect(outcome(reply)).toBe(failed);
    expect(reply.envelope.message).toBe("The passkey was not accepted.");
    expect(reply.envelope.details).toBeUndefined();
    expect(await countRows(service, "auth_sessions")).toBe(sessions);
    expect(await countRows(service, "auth_passkeys", "last_used_at IS NULL")).toBe(1);
    expect(refusals()).toMatchObject([{ level: 40, reason: expect.stringMatching(/./) }]);
  });

  test("a challenge that has ended, or is for a registration", async () => {
    const key = await passkeyOf();
    const options = await loginOptions();
    clock.pass(300);
    expect(outcome(await send("POST passkeys/login", { response: key.get(options) }))).toBe(failed);
    const registering = {
      ...Object(await loginOptions()),
      challenge: (await optionsFor(await login())).challenge,
    };
    expect(outcome(await send("POST passkeys/login", { response: key.get(registering) }))).toBe(failed);
  });

  test("a challenge in another spelling, after it was used", async () => {
    const key = await passkeyOf();
    const options = Object(await loginOptions());
    dataOf(await send("POST passkeys/login", { response: key.get(options) }));
    const spelt = key.get(options, { challenge: `${options.challenge}==` });
    expect(outcome(await send("POST passkeys/login", { response: spelt }))).toBe(failed);
  });

  test("a wrong user handle, and the challenge is used up; a wrong signature does not use it up", async () => {
    const key = await passkeyOf();
    const options = await loginOptions();
    const wrong = key.get(options, { signature: Buffer.alloc(70) });
    expect(outcome(await send("POST passkeys/login", { response: wrong }))).toBe(failed);
    const foreign = key.get(options, { userHandle: null });
    expect(outcome(await send("POST passkeys/login", { response: foreign }))).toBe(failed);
    expect(outcome(await send("POST passkeys/login", { response: key.get(options) }))).toBe(failed);
  });

  test.each<[string, Json]>([
    ["nothing in it", {}],
    ["numbers", { id: 1, rawId: 1, type: 1, response: 1 }],
    ["lists", { id: "x", rawId: "x", type: "public-key", response: [] }],
    ["null", { id: "x", rawId: "x", type: "public-key", response: null }],
    [
      "client data that is no JSON",
      { id: "x", rawId: "x", type: "public-key", response: { clientDataJSON: "x" } },
    ],
    [
      "client data that is null",
      { id: "x", rawId: "x", type: "public-key", response: { clientDataJSON: "bnVsbA" } },
    ],
    ["a long id", { id: "x".repeat(5000), rawId: "x", type: "public-key", response: {} }],
  ])("%s", async (_, response) => {
    expect(outcome(await send("POST passkeys/login", { response }))).toBe(failed);
    expect(outcome(await send("POST passkeys/register", { response }, await login()))).toBe(failed);
  });

  test.each<[string, Json, string]>([
    ["no response", {}, "400 VALIDATION_ERROR response"],
    ["a text", { response: "x" }, "400 VALIDATION_ERROR response"],
    ["another key", { response: {}, user_id: 1 }, "400 VALIDATION_ERROR user_id"],
  ])("%s as 400", async (_, body, expected) => {
    expect(outcome(await send("POST passkeys/login", body))).toBe(expected);
  });
});
