import { describe, expect, test } from "vitest";
import { verificationPage } from "#runtime/auth/http/pages/index";
import { account, accounts, countRows, password } from "../../support/accounts.ts";
import { mailing, resetToken, signing, verificationToken } from "../../support/links.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { claimsOf, jwtSecret, signed } from "../../support/service-token.ts";
import { testSmtp } from "../../support/smtp.ts";

const smtp = await testSmtp();
const service = await testService(mailing(smtp));

const email = "ann@example.com";
const given = accounts([account(1, { email, is_verified: false }), account(2)]);
const path = "/auth/verify-email";
const open = (token: string, method = "GET", headers = {}) =>
  service.send({ method, path: `${path}?token=${token}`, headers });
const verified = () => countRows(service, "users", "id = 1 AND is_verified");
const good = verificationToken(1, email);
const yesterday = Math.floor(Date.now() / 1000) - 24 * 60 * 60 - 5;
const page = (of: Parameters<typeof verificationPage>[0]) => verificationPage(of).html;

describe("GET /auth/verify-email", () => {
  test("verifies the address once, and says so again", async () => {
    await service.store(given);
    await service.query("UPDATE users SET updated_at = '2020-01-01'");
    const reply = await open(good);
    expect([reply.status, reply.text]).toEqual([200, page("verified")]);
    expect(reply.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": verificationPage("verified").contentSecurityPolicy,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    });
    expect(await countRows(service, "users", "id = 1 AND is_verified AND updated_at > '2026-01-01'")).toBe(1);
    const again = await open(good);
    expect([again.status, again.text]).toEqual([200, page("already-verified")]);
  });

  test("never reads the Authorization header", async () => {
    await service.store(given);
    expect((await open(good, "GET", { authorization: "Bearer stale" })).status).toBe(200);
    expect(await verified()).toBe(1);
  });

  test("HEAD tells what GET would, and changes nothing", async () => {
    await service.store(given);
    const reply = await open(good, "HEAD");
    expect([reply.status, reply.text]).toEqual([200, ""]);
    expect((await open("x", "HEAD")).status).toBe(400);
    expect(await verified()).toBe(0);
    expect((await open(good)).text).toBe(page("verified"));
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
    await service.store(given);
    const reply = await open(token);
    expect([reply.status, reply.text]).toEqual([400, page("invalid")]);
    expect(reply.headers["cache-control"]).toBe("no-store");
    expect(await verified()).toBe(0);
  });

  test("ten at once verify once", async () => {
    await service.store(given);
    const replies = await Promise.all(Array.from({ length: 10 }, () => open(good)));
    expect(replies.filter(({ text }) => text === page("verified"))).toHaveLength(1);
    expect(replies.every(({ status }) => status === 200)).toBe(true);
  });

  test("POST is 405", async () => {
    const reply = await open(good, "POST");
    expect([reply.status, reply.headers.allow]).toEqual([405, "GET, HEAD"]);
  });

  test("without a key no link is good", async () => {
    const keyless = await testService();
    await keyless.store(given);
    const reply = await keyless.send({ method: "GET", path: `${path}?token=${good}` });
    expect([reply.status, reply.text]).toEqual([400, page("invalid")]);
  });
});

test("from registration to login: the link of the mail opens the way", async () => {
  await service.store({});
  const body = { email: "new@example.com", password };
  const login = () => service.send({ method: "POST", path: "/auth/login", body });
  expect(outcome(await service.send({ method: "POST", path: "/auth/register", body }))).toBe("200");
  expect(outcome(await login())).toBe("403 EMAIL_NOT_VERIFIED");
  const { pathname, search } = new URL((await smtp.next("new@example.com")).link);
  expect((await service.send({ method: "GET", path: pathname + search })).text).toBe(page("verified"));
  expect(outcome(await login())).toBe("200");
  expect(JSON.stringify(service.log)).not.toContain(search.slice("?token=".length));
});

test("follows auth_prefix", async () => {
  const moved = await testService({ ...signing, authPrefix: "/account" });
  await moved.store(given);
  const reply = await moved.send({ method: "GET", path: `/account/verify-email?token=${good}` });
  expect(reply.text).toBe(page("verified"));
});
