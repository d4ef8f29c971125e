import bcrypt from "bcrypt";
import { describe, expect, test } from "vitest";
import { forgotPasswordPage } from "#runtime/modules/auth/http/pages/account-pages";
import { smtpTransport } from "#runtime/modules/mail/mailer";
import {
  account,
  accounts,
  apiKey,
  countRows,
  password,
  session,
  storedReset,
} from "../../support/accounts.ts";
import { claimsIn, mailing, resetToken, signing, tokenIn, verificationToken } from "../../support/links.ts";
import { requestOf } from "../../support/request.ts";
import { outcome, type Scenario, scenarios } from "../../support/scenarios.ts";
import { type TestService, testService } from "../../support/service.ts";
import { claimsOf, jwtSecret, signed } from "../../support/service-token.ts";
import { testSmtp } from "../../support/smtp.ts";

const smtp = await testSmtp();
const settings = mailing(smtp);
const service = await testService(settings);

const requestPath = "/auth/request-reset-password";
const askers = [
  account(1, { email: "ann@example.com", first_name: "Ann" }),
  account(2, { email: "idle@example.com", is_active: false }),
  account(3, { email: "jürgen@xn--exmple-cua.com", is_verified: false, password: null }),
];
const givenAskers = accounts(askers);
const message = "If there is an account with this e-mail, a link is on its way.";
const ask = (email: unknown, to: TestService = service) =>
  to.send({ method: "POST", path: requestPath, body: JSON.parse(JSON.stringify({ email })) });
const failures = (of: TestService) => of.log.filter(({ msg }) => String(msg).includes("[RESET_REQUEST]"));

describe("POST /auth/request-reset-password", () => {
  const request = (email: unknown, fails?: string) => ({
    name: JSON.stringify(email),
    given: givenAskers,
    send: `POST ${requestPath}`,
    body: JSON.parse(JSON.stringify({ email })),
    ...(fails === undefined ? { data: {} } : { fails }),
  });
  const malformed = "400 VALIDATION_ERROR email";
  // biome-ignore format: one case a line
  scenarios(service, [
    request("nobody@example.com"),
    request("idle@example.com"),
    { ...request("nobody@example.com"), name: "a stale token", headers: { authorization: "Bearer stale" } },
    request(undefined, malformed),
    request(null, malformed),
    request("", malformed),
    request("ann", malformed),
    request("ann@example.com\r\nBcc: eve@example.com", malformed),
    request("ann@example.com,eve@example.com", malformed),
    request('"ann"@example.com', malformed),
    request(["ann@example.com"], malformed),
    request({ $ne: "" }, malformed),
    { ...request("ann@example.com", "400 VALIDATION_ERROR url"), name: "an unknown key",
      body: { email: "ann@example.com", url: "https://eve.example" } },
    { name: "without a body", send: `POST ${requestPath}`, fails: malformed },
    { send: `GET ${requestPath}`, fails: "405 HTTP_ERROR" },
  ]);

  test("mails a link that sets a new password, once", async () => {
    await service.store(givenAskers);
    const reply = await ask(" ANN@example.com ");
    expect(reply.envelope).toMatchObject({ message, data: {} });
    const mail = await smtp.next("ann@example.com");
    expect(mail.to).toEqual(["ann@example.com"]);
    expect(mail.text).toContain("Hello Ann,");
    const token = tokenIn(mail.link);
    const { iat, exp, jti, ...claims } = claimsIn(token);
    expect(claims).toEqual({ sub: "1", type: "password_reset" });
    expect(jti).toMatch(/^[0-9a-f-]{36}$/);
    expect(Number(exp) - Number(iat)).toBe(60 * 60);
    const stored = await service.query(
      "SELECT token_hash FROM auth_tokens WHERE token_type = 'password_reset'",
    );
    expect(stored).toEqual([{ token_hash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);

    const text = "Another-Horse-2!";
    const body = { token, new_password: text, confirm_password: text };
    const reset = () => service.send({ method: "POST", path: "/auth/reset-password", body });
    expect(outcome(await reset())).toBe("200");
    expect(outcome(await reset())).toBe("400 INVALID_RESET_TOKEN");
    const login = { method: "POST", path: "/auth/login", body: { email: "ann@example.com", password: text } };
    expect(outcome(await service.send(login))).toBe("200");
    expect(JSON.stringify(service.log)).not.toContain(token);
  });

  test("mails to the stored address, however the request spells it", async () => {
    await service.store(givenAskers);
    await ask("ju\u0308rgen@exa\u0308mple.COM");
    expect((await smtp.next("jürgen@exämple.com")).to).toEqual(["jürgen@exämple.com"]);
  });

  test("does not reveal who has an account: unknown and inactive accounts get the same answer and no mail", async () => {
    await service.store(givenAskers);
    const before = smtp.mails.length;
    const replies = await Promise.all(["nobody@example.com", "idle@example.com"].map((email) => ask(email)));
    const known = await ask("ann@example.com");
    await smtp.next("ann@example.com");
    for (const reply of replies) expect(reply.envelope).toEqual(known.envelope);
    expect(smtp.mails.length).toBe(before + 1);
    expect(await countRows(service, "auth_tokens")).toBe(1);
  });

  test.each(["refuse", "stall"] as const)(
    "a server that would %s changes nothing in the answer",
    async (mood) => {
      const moody = await testSmtp();
      const mailer = smtpTransport(moody.url, { from: { name: "", address: "shop@example.com" } }, 500);
      const other = await testService(signing, { mailer });
      await other.store(givenAskers);
      moody.mood = mood;
      const reply = await ask("ann@example.com", other);
      expect(reply.envelope).toMatchObject({ statusCode: 200, message, data: {} });
      await expect.poll(() => failures(other), { timeout: 5000 }).toHaveLength(1);
      expect(failures(other)[0]).toMatchObject({ level: 50, request_id: reply.headers["x-request-id"] });
      expect(JSON.stringify(other.log)).not.toContain("token=");
      mailer.close();
    },
  );
});

test.each([
  ["https://shop.example/reset", /^https:\/\/shop\.example\/reset\?token=[\w.-]+$/],
  ["https://shop.example/reset?lang=de", /^https:\/\/shop\.example\/reset\?lang=de&token=[\w.-]+$/],
  ["https://shop.example/reset?lang=de#form", /^https:\/\/shop\.example\/reset\?lang=de&token=[\w.-]+#form$/],
])("the link goes to %s", async (page, link) => {
  const own = await testService({ ...settings, auth: { forgotPasswordPageUrl: page } });
  await own.store(accounts([account(1, { email: "page@example.com" })]));
  expect(outcome(await ask("page@example.com", own))).toBe("200");
  expect((await smtp.next("page@example.com")).link).toMatch(link);
});

test("a request while the database is away is answered the same", async () => {
  const broken = await testService(settings);
  await broken.store(givenAskers);
  await broken.query("ALTER TABLE users RENAME TO lost");
  const reply = await ask("ann@example.com", broken);
  await expect.poll(() => failures(broken)).toHaveLength(1);
  await broken.query("ALTER TABLE lost RENAME TO users");
  expect(reply.envelope).toMatchObject({ statusCode: 200, message });
});

const next = "Another-Horse-2!";
const path = "/auth/reset-password";
const users = [account(1), account(2), account(3, { is_active: false })];

const good = resetToken(1);
const foreign = resetToken(2);
const idle = resetToken(3);
const late = resetToken(1);
const gone = resetToken(9);
const refresh = session(1);
const key = apiKey(1);
const given = accounts(users, [
  storedReset(1, good),
  storedReset(2, foreign),
  storedReset(3, idle),
  storedReset(1, late, { expires_at: "2020-01-01" }),
  refresh.row,
  key.row,
]);

const body = (token: unknown, changes: object = {}) =>
  JSON.parse(JSON.stringify({ token, new_password: next, confirm_password: next, ...changes }));
const reset = (
  name: string,
  token: unknown,
  rest: Partial<Scenario> = {},
  changes: object = {},
): Scenario => ({ name, given, send: `POST ${path}`, body: body(token, changes), ...rest });
const send = (token: string) => service.send({ method: "POST", path, body: body(token) });
const invalid = { fails: "400 INVALID_RESET_TOKEN", rows: { auth_tokens: Array(6).fill({}) } };
const weak = { new_password: "short", confirm_password: "short" };
const iat = Math.floor(Date.now() / 1000);
/** Forged or not, its hash is stored. */
const stored = (token: string) => accounts(users, [storedReset(1, token)]);
const storedInvalid = (name: string, token: string) =>
  reset(name, token, { given: stored(token), fails: "400 INVALID_RESET_TOKEN", rows: { auth_tokens: [{}] } });

describe("POST /auth/reset-password", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    reset("sets the password and deletes every token of the user", good, { data: {},
      rows: { auth_tokens: [{ user_id: 2 }, { user_id: 3 }], users: [{}, {}, {}] },
    }),
    reset("with an invalid Authorization header", good, { headers: { authorization: "Bearer stale" } }),
    reset("no token", undefined, { fails: "400 VALIDATION_ERROR token" }),
    reset("an empty token", "", { fails: "400 VALIDATION_ERROR token" }),
    reset("a token that is no text", { $ne: "" }, { fails: "400 VALIDATION_ERROR token" }),
    reset("no password", good, { fails: "400 VALIDATION_ERROR new_password" }, { new_password: undefined }),
    reset("no confirmation", good, { fails: "400 VALIDATION_ERROR confirm_password" }, { confirm_password: undefined }),
    reset("another confirmation", good, { ...invalid, fails: "400 VALIDATION_ERROR confirm_password" }, { confirm_password: "x" }),
    reset("a weak password", good, { ...invalid, fails: "400 WEAK_PASSWORD new_password" }, weak),
    reset("a weak password with a bad token", "x", { fails: "400 WEAK_PASSWORD new_password" }, weak),
    reset("an unknown key", good, { fails: "400 VALIDATION_ERROR user_id" }, { user_id: 1 }),
    reset("one that was never stored", resetToken(1), invalid),
    reset("one that has expired in the table", late, invalid),
    reset("one of a user who is gone", gone, invalid),
    reset("an inactive account", idle, { ...invalid, fails: "403 ACCOUNT_INACTIVE" }),
    reset("garbage", "x.y.z", invalid),
    reset("a refresh token", refresh.token, invalid),
    reset("an API key", key.key, invalid),
    { send: `GET ${path}`, fails: "405 HTTP_ERROR" },
  ]);

  describe("a token that is no reset token, though its hash is stored", () => {
    const { jti: _, ...withoutJti } = JSON.parse(atob(good.split(".")[1] ?? ""));
    const [header, payload, signature] = good.split(".");
    // biome-ignore format: one case a line
    scenarios(service, [
      storedInvalid("of another key", resetToken(1, {}, jwtSecret)),
      storedInvalid("expired", resetToken(1, { exp: iat - 1 })),
      storedInvalid("of verification", verificationToken(1, "user1@example.com")),
      storedInvalid("of type refresh", resetToken(1, { type: "refresh" })),
      storedInvalid("an access token", signed(claimsOf("user"))),
      storedInvalid("without an id", signed(withoutJti, {}, "signs links in tests, 32 bytes at least")),
      storedInvalid("with a claim more", resetToken(1, { role: "admin" })),
      storedInvalid("of another user than the row's", resetToken(2)),
      storedInvalid("of a user that is no id", resetToken(1, { sub: "1 OR 1=1" })),
      storedInvalid("cut", `${header}.${payload}.`),
      storedInvalid("with another subject", `${header}.${btoa(JSON.stringify({ ...withoutJti, sub: "2" }))}.${signature}`),
      storedInvalid("alg none", `${btoa('{"alg":"none","typ":"JWT"}').replace(/=+$/, "")}.${payload}.`),
    ]);
  });

  test("the old password, sessions and keys are dead, the new password works, the link does not", async () => {
    await service.store(given);
    expect(outcome(await send(good))).toBe("200");
    const [row] = await service.query(
      "SELECT password, updated_at > now() - interval '1 minute' AS touched FROM users WHERE id = 1",
    );
    expect(await bcrypt.compare(next, String(row?.["password"]))).toBe(true);
    expect(row?.["touched"]).toBe(true);
    const login = (attempt: string) =>
      service.send(requestOf("POST /auth/login", { email: "user1@example.com", password: attempt }));
    expect(outcome(await login(password))).toBe("401 INVALID_CREDENTIALS");
    expect(outcome(await login(next))).toBe("200");
    expect(outcome(await send(good))).toBe("400 INVALID_RESET_TOKEN");
    const refreshed = { method: "POST", path: "/auth/refresh-token", body: { refreshToken: refresh.token } };
    expect(outcome(await service.send(refreshed))).toBe("401 INVALID_TOKEN");
    const fetched = { method: "GET", path: "/things/fetch", headers: { "x-api-key": key.key } };
    expect(outcome(await service.send(fetched))).toBe("401 INVALID_API_KEY");
  });

  // More from one address find half of the pool taken.
  test("of eight at once with one token one wins", async () => {
    await service.store(given);
    const outcomes = (await Promise.all(Array.from({ length: 8 }, () => send(good)))).map(outcome).sort();
    expect(outcomes).toEqual(["200", ...Array(7).fill("400 INVALID_RESET_TOKEN")]);
  });
});

test("without a key no token is good", async () => {
  const keyless = await testService();
  await keyless.store(given);
  const reply = await keyless.send({ method: "POST", path, body: body(good) });
  expect(outcome(reply)).toBe("400 INVALID_RESET_TOKEN");
});

describe("links to accounts elsewhere", () => {
  test.each([
    ["go if the address was unverified, since another user may have made the account", false, 0],
    ["stay where it was verified", true, 1],
  ])("%s", async (_, is_verified, left) => {
    await service.store({
      ...accounts([account(1, { is_verified })], [storedReset(1, good)]),
      auth_social: [{ user_id: 1, provider: "github", uid: "7" }],
    });
    expect(outcome(await send(good))).toBe("200");
    expect(await countRows(service, "auth_social")).toBe(left);
    expect(await countRows(service, "users", "password is not null")).toBe(1);
  });
});

const pages = await testService();
const { html, contentSecurityPolicy } = forgotPasswordPage();

describe("GET /auth/forgot-password", () => {
  test.each([
    ["as it is", "/auth/forgot-password", {}],
    ["with a token, which it does not repeat", "/auth/forgot-password?token=%3Cscript%3Ecanary", {}],
    ["with an invalid credential", "/auth/forgot-password", { authorization: "Bearer canary" }],
  ])("%s", async (_, path, headers) => {
    const reply = await pages.send({ method: "GET", path, headers });
    expect(reply.status).toBe(200);
    expect(reply.text).toBe(html);
    expect(reply.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": contentSecurityPolicy,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
    expect(reply.headers["set-cookie"]).toBeUndefined();
  });

  test("HEAD answers the headers", async () => {
    const reply = await pages.send({ method: "HEAD", path: "/auth/forgot-password" });
    expect([reply.status, reply.text]).toEqual([200, ""]);
    expect(reply.headers["content-security-policy"]).toBe(contentSecurityPolicy);
  });

  test("POST is 405", async () => {
    const reply = await pages.send({ method: "POST", path: "/auth/forgot-password", body: {} });
    expect([reply.status, reply.headers.allow]).toEqual([405, "GET, HEAD"]);
  });

  test("the token of a link is not logged", () => {
    expect(JSON.stringify(pages.log)).not.toContain("canary");
  });
});

test("follows auth_prefix", async () => {
  const other = await testService({ authPrefix: "/account" });
  expect((await other.send({ method: "GET", path: "/account/forgot-password" })).text).toBe(html);
  expect((await other.send({ method: "GET", path: "/auth/forgot-password" })).status).toBe(404);
});
