import { describe, expect, test } from "vitest";
import { verificationPage } from "#runtime/modules/auth/http/pages/account-pages";
import { smtpTransport } from "#runtime/modules/mail/mailer";
import { account, accounts, countRows, password } from "../../support/accounts.ts";
import { claimsIn, mailing, resetToken, signing, tokenIn, verificationToken } from "../../support/links.ts";
import { outcome, type Scenario, scenarios } from "../../support/scenarios.ts";
import { type TestService, testService } from "../../support/service.ts";
import { claimsOf, jwtSecret, signed } from "../../support/service-token.ts";
import { testSmtp } from "../../support/smtp.ts";
import { inTurn } from "../../support/turns.ts";

const smtp = await testSmtp();
const service = await testService({ ...mailing(smtp), social: { placeholderDomain: "Placeholder.Example" } });

const path = "/auth/request-verification";
const unverified = { is_verified: false };
const given = accounts([
  account(1, { ...unverified, email: "ann@example.com", first_name: "Ann" }),
  account(2, { email: "known@example.com" }),
  account(3, { ...unverified, email: "idle@example.com", is_active: false }),
  account(4, { ...unverified, email: "instagram_7@placeholder.example", password: null }),
  account(5, { ...unverified, email: "jürgen@xn--exmple-cua.com", password: null }),
]);
const message = "If this e-mail is waiting to be verified, a link is on its way.";
const ask = (email: string, to: TestService = service) => to.send({ method: "POST", path, body: { email } });
const failures = (of: TestService) =>
  of.log.filter(({ msg }) => String(msg).includes("[VERIFICATION_REQUEST]"));

describe("POST /auth/request-verification", () => {
  const malformed = "400 VALIDATION_ERROR email";
  scenarios(service, [
    { given, send: `POST ${path}`, body: { email: "nobody@example.com" }, data: {} },
    { given, send: `POST ${path}`, body: { email: "nobody@example.com" }, headers: { authorization: "x" } },
    { send: `POST ${path}`, body: {}, fails: malformed },
    { send: `POST ${path}`, body: { email: "a@x.example,b@x.example" }, fails: malformed },
    { send: `POST ${path}`, body: { email: "a@x.example", url: "x" }, fails: "400 VALIDATION_ERROR url" },
    { send: `GET ${path}`, fails: "405 HTTP_ERROR" },
  ]);

  test("mails a fresh link, which verifies the address and lets its owner in", async () => {
    await service.store(given);
    expect((await ask(" ANN@example.com ")).envelope).toMatchObject({ message, data: {} });
    const mail = await smtp.next("ann@example.com");
    expect(mail.text).toContain("Hello Ann,");
    const { iat, exp, ...claims } = claimsIn(tokenIn(mail.link));
    expect(claims).toEqual({ sub: "1", email: "ann@example.com", type: "email_verification" });
    expect(Number(exp) - Number(iat)).toBe(24 * 60 * 60);
    const { pathname, search } = new URL(mail.link);
    expect((await service.send({ method: "GET", path: pathname + search })).status).toBe(200);
    const body = { email: "ann@example.com", password };
    expect(outcome(await service.send({ method: "POST", path: "/auth/login", body }))).toBe("200");
    expect(JSON.stringify(service.log)).not.toContain(search.slice("?token=".length));
  });

  test("for any spelling, only to the stored address", async () => {
    await service.store(given);
    await ask("ju\u0308rgen@exa\u0308mple.COM");
    expect((await smtp.next("jürgen@exämple.com")).to).toEqual(["jürgen@exämple.com"]);
  });

  test("one answer for all, and no mail to who is unknown, verified, inactive or has no address", async () => {
    await service.store(given);
    const before = smtp.mails.length;
    const others = ["unknown", "known", "idle"].map((name) => `${name}@example.com`);
    const replies = await Promise.all(
      [...others, "instagram_7@placeholder.example"].map((email) => ask(email)),
    );
    const reply = await ask("ann@example.com");
    await smtp.next("ann@example.com");
    for (const { envelope } of replies) expect(envelope).toEqual(reply.envelope);
    expect(smtp.mails.length).toBe(before + 1);
    expect(failures(service)).toEqual([]);
  });

  test("the response does not wait for the table to be readable", async () => {
    await service.store(given);
    const [reply] = await service.pool.transaction(async (transaction) => {
      await transaction.run({ name: null, text: "lock table users" }, []);
      return [await ask("ann@example.com"), await ask("nobody@example.com")];
    });
    expect(reply?.envelope).toMatchObject({ statusCode: 200, message });
    await smtp.next("ann@example.com");
  });

  test.each(["refuse", "stall"] as const)(
    "a server that would %s changes nothing in the answer",
    async (mood) => {
      const moody = await testSmtp();
      const mailer = smtpTransport(moody.url, { from: { name: "", address: "shop@example.com" } }, 500);
      const other = await testService(signing, { mailer });
      await other.store(given);
      moody.mood = mood;
      const reply = await ask("ann@example.com", other);
      expect(reply.envelope).toMatchObject({ statusCode: 200, message, data: {} });
      await expect.poll(() => failures(other), { timeout: 5000 }).toHaveLength(1);
      expect(failures(other)[0]).toMatchObject({ level: 50, request_id: reply.headers["x-request-id"] });
      expect(JSON.stringify(other.log)).not.toContain("token=");
      mailer.close();
    },
  );

  test("where no mail leaves the log says why", async () => {
    const keyless = await testService();
    await keyless.store(given);
    expect(outcome(await ask("ann@example.com", keyless))).toBe("200");
    await expect.poll(() => JSON.stringify(failures(keyless))).toContain("SERVICE_AUTH_VERIFICATION_KEY");
  });

  test("a link to an address that the account loses meanwhile is no good", async () => {
    await service.store(given);
    await ask("ann@example.com");
    const { pathname, search } = new URL((await smtp.next("ann@example.com")).link);
    const open = () => service.send({ method: "GET", path: pathname + search });
    const [page] = await inTurn(service, "update users set email = null where id = 1", open);
    expect(page?.status).toBe(400);
    expect(await countRows(service, "users", "id = 1 and is_verified")).toBe(0);
  });
});

describe("nothing is ever mailed to a placeholder address", () => {
  const email = "instagram_7@placeholder.example";

  test("not for a new password", async () => {
    await service.store(given);
    const before = smtp.mails.length;
    const body = { email };
    const reset = { method: "POST", path: "/auth/request-reset-password" };
    expect(outcome(await service.send({ ...reset, body }))).toBe("200");
    // Both are worked on in turn, the one that gets a mail last.
    await service.send({ ...reset, body: { email: "ann@example.com" } });
    await smtp.next("ann@example.com");
    expect(smtp.mails.length).toBe(before + 1);
    expect(await countRows(service, "auth_tokens", "user_id = 4")).toBe(0);
  });

  test("it cannot be registered, so it cannot block the user that it is generated for", async () => {
    await service.store({});
    const before = smtp.mails.length;
    const reply = await service.send({ method: "POST", path: "/auth/register", body: { email, password } });
    expect(outcome(reply)).toBe("400 VALIDATION_ERROR email");
    expect(await countRows(service, "users")).toBe(0);
    expect(smtp.mails.length).toBe(before);
  });
});

const email = "ann@example.com";
const registered = accounts([account(1, { email, is_verified: false }), account(2)]);
const verifyPath = "/auth/verify-email";
const open = (token: string, method = "GET", headers = {}) =>
  service.send({ method, path: `${verifyPath}?token=${token}`, headers });
const verified = () => countRows(service, "users", "id = 1 AND is_verified");
const good = verificationToken(1, email);
const yesterday = Math.floor(Date.now() / 1000) - 24 * 60 * 60 - 5;
const pageOf = (of: Parameters<typeof verificationPage>[0]) => verificationPage(of).html;

describe("GET /auth/verify-email", () => {
  test("verifies the address once, and answers the same again", async () => {
    await service.store(registered);
    await service.query("UPDATE users SET updated_at = '2020-01-01'");
    const reply = await open(good);
    expect([reply.status, reply.text]).toEqual([200, pageOf("verified")]);
    expect(reply.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": verificationPage("verified").contentSecurityPolicy,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    });
    expect(await countRows(service, "users", "id = 1 AND is_verified AND updated_at > '2026-01-01'")).toBe(1);
    const again = await open(good);
    expect([again.status, again.text]).toEqual([200, pageOf("already-verified")]);
  });

  test("never reads the Authorization header", async () => {
    await service.store(registered);
    expect((await open(good, "GET", { authorization: "Bearer stale" })).status).toBe(200);
    expect(await verified()).toBe(1);
  });

  test("HEAD tells what GET would, and changes nothing", async () => {
    await service.store(registered);
    const reply = await open(good, "HEAD");
    expect([reply.status, reply.text]).toEqual([200, ""]);
    expect((await open("x", "HEAD")).status).toBe(400);
    expect(await verified()).toBe(0);
    expect((await open(good)).text).toBe(pageOf("verified"));
    expect((await open(good, "HEAD")).status).toBe(200);
  });

  test.each<[string, string]>([
    ["no token", ""],
    ["garbage", "x.y.z"],
    ["cut", good.slice(0, -3)],
    ["of another key", verificationToken(1, email, {}, jwtSecret)],
    ["a day old", verificationToken(1, email, { iat: yesterday, exp: yesterday + 86_400 })],
    ["of another purpose", resetToken(1)],
    ["an access token", signed(claimsOf("user"))],
    ["an access token of the same key", verificationToken(1, email, { type: "access" })],
    ["of another address", verificationToken(1, "old@example.com")],
    ["of another user", verificationToken(2, email)],
    ["of a user who is gone", verificationToken(9, email)],
    ["of a user that is no id", verificationToken(1, email, { sub: "1 OR 1=1" })],
    ["with a claim more", verificationToken(1, email, { role: "admin" })],
    ["alg none", `${btoa('{"alg":"none"}').replace(/=+$/, "")}.${good.split(".")[1]}.`],
    ["twice", `${good}&token=${good}`],
    ["a script", "%3Cscript%3Ealert(1)%3C%2Fscript%3E"],
  ])("%s: a page with status 400, and nothing changes", async (_, token) => {
    await service.store(registered);
    const reply = await open(token);
    expect([reply.status, reply.text]).toEqual([400, pageOf("invalid")]);
    expect(reply.headers["cache-control"]).toBe("no-store");
    expect(await verified()).toBe(0);
  });

  test("ten at once verify once", async () => {
    await service.store(registered);
    const replies = await Promise.all(Array.from({ length: 10 }, () => open(good)));
    expect(replies.filter(({ text }) => text === pageOf("verified"))).toHaveLength(1);
    expect(replies.every(({ status }) => status === 200)).toBe(true);
  });

  test("POST is 405", async () => {
    const reply = await open(good, "POST");
    expect([reply.status, reply.headers.allow]).toEqual([405, "GET, HEAD"]);
  });

  test("without a key no link is good", async () => {
    const keyless = await testService();
    await keyless.store(registered);
    const reply = await keyless.send({ method: "GET", path: `${verifyPath}?token=${good}` });
    expect([reply.status, reply.text]).toEqual([400, pageOf("invalid")]);
  });
});

test("follows auth_prefix", async () => {
  const moved = await testService({ ...signing, authPrefix: "/account" });
  await moved.store(registered);
  const reply = await moved.send({ method: "GET", path: `/account/verify-email?token=${good}` });
  expect(reply.text).toBe(pageOf("verified"));
});

const resetPage = "https://shop.example/reset?lang=de";
const prefixed = await testService({
  ...signing,
  authPrefix: "/account",
  auth: { forgotPasswordPageUrl: resetPage },
});

const generatePath = "/account/generate-verification-link";
const threeUsers = accounts([
  account(1, { email: "ann@example.com", is_verified: false }),
  account(2),
  account(3, { email: null }),
]);
const wanted = { user_id: 1, email: "ann@example.com", type: "email_verification" };
const generate = (changes: object, rest: Partial<Scenario> = {}): Scenario => ({
  name: rest.name ?? JSON.stringify(changes),
  given: threeUsers,
  send: `POST ${generatePath}`,
  as: "admin",
  body: JSON.parse(JSON.stringify({ ...wanted, ...changes })),
  ...rest,
});
const foreign = { fails: "400 VALIDATION_ERROR email", rows: { auth_tokens: [] } };

describe("POST /auth/generate-verification-link", () => {
  // biome-ignore format: one case a line
  scenarios(prefixed, [
    ...["admin", "system", "superadmin"].map((as) =>
      generate(
        {},
        { name: as,
          as,
          data: { secure_link: expect.stringMatching(/^https:\/\/shop\.example\/account\/verify-email\?token=[\w.-]+$/), type: "email_verification" },
          rows: { auth_tokens: [] },
        },
      ),
    ),
    generate(
      { type: "password_reset" },
      { data: { secure_link: expect.stringMatching(/^https:\/\/shop\.example\/reset\?lang=de&token=[\w.-]+$/), type: "password_reset" },
        rows: { auth_tokens: [{ user_id: 1, token_type: "password_reset" }] },
      },
    ),
    generate({ email: " ANN@example.com" }, { data: expect.anything() }),
    generate({}, { name: "a user", as: "user", fails: "403 PERMISSION_DENIED" }),
    generate({}, { name: "a role like admin", as: "Admin", fails: "403 PERMISSION_DENIED" }),
    generate({}, { name: "a guest", as: null, fails: "401 MISSING_TOKEN" }),
    generate({}, { name: "an API key", as: null, headers: { "x-api-key": "kk_1" }, fails: "401 MISSING_TOKEN" }),
    generate({ user_id: 2 }, foreign),
    generate({ user_id: 9 }, foreign),
    generate({ user_id: 3 }, foreign),
    generate({ email: "user2@example.com" }, foreign),
    generate({ email: "ann" }, foreign),
    generate({ user_id: 2, type: "password_reset" }, foreign),
    generate({ user_id: undefined }, { fails: "400 VALIDATION_ERROR user_id" }),
    generate({ user_id: "1" }, { fails: "400 VALIDATION_ERROR user_id" }),
    generate({ user_id: 0 }, { fails: "400 VALIDATION_ERROR user_id" }),
    generate({ email: undefined }, { fails: "400 VALIDATION_ERROR email" }),
    generate({ type: undefined }, { fails: "400 VALIDATION_ERROR type" }),
    generate({ type: "login" }, { fails: "400 VALIDATION_ERROR type" }),
    generate({ url: "https://eve.example" }, { fails: "400 VALIDATION_ERROR url" }),
    { name: "without a body", send: `POST ${generatePath}`, as: "user", fails: "403 PERMISSION_DENIED" },
    { send: `GET ${generatePath}`, fails: "405 HTTP_ERROR" },
  ]);

  const linkOf = async (type: string, to: TestService = prefixed) => {
    const reply = await to.send({ method: "POST", path: generatePath, body: { ...wanted, type } }, "admin");
    return (reply.envelope.data as { secure_link: string }).secure_link;
  };

  test("the verification link verifies", async () => {
    await prefixed.store(threeUsers);
    const { pathname, search } = new URL(await linkOf("email_verification"));
    const reply = await prefixed.send({ method: "GET", path: pathname + search });
    expect(reply.text).toBe(verificationPage("verified").html);
  });

  test("the reset link resets, once", async () => {
    await prefixed.store(threeUsers);
    const token = tokenIn(await linkOf("password_reset"));
    const text = "Another-Horse-2!";
    const reset = () =>
      prefixed.send({
        method: "POST",
        path: "/account/reset-password",
        body: { token, new_password: text, confirm_password: text },
      });
    expect(outcome(await reset())).toBe("200");
    expect(outcome(await reset())).toBe("400 INVALID_RESET_TOKEN");
    expect(await countRows(prefixed, "auth_tokens")).toBe(0);
  });
});

test("without a key it is 503", async () => {
  const keyless = await testService();
  await keyless.store(threeUsers);
  for (const type of ["email_verification", "password_reset"]) {
    const sent = { method: "POST", path: "/auth/generate-verification-link", body: { ...wanted, type } };
    const reply = await keyless.send(sent, "admin");
    expect(outcome(reply)).toBe("503 HTTP_ERROR");
    expect(reply.envelope.message).toContain("SERVICE_AUTH_VERIFICATION_KEY is not set");
  }
});
