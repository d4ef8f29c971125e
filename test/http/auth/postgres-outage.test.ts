import { afterEach, beforeEach, expect, test } from "vitest";
import { account, accounts, apiKey, password, session } from "../../support/accounts.ts";
import { eventually } from "../../support/eventually.ts";
import { signing, verificationToken } from "../../support/links.ts";
import { proxyTo, type TestProxy } from "../../support/proxy.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { tokenOf } from "../../support/service-token.ts";

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

beforeEach(async () => {
  await service.store(accounts([account(1)], [mine.row]));
  expect(await ask("GET", "/auth/me", { headers })).toBe("200");
  proxy?.cut();
});

afterEach(() => proxy?.mend());

test("who has a token is told to come back; nobody is let in unchecked", async () => {
  expect(await ask("GET", "/auth/me", { headers })).toBe("503 AUTH_UNAVAILABLE");
  expect(await ask("GET", "/docs/count", { headers })).toBe("503 AUTH_UNAVAILABLE");
  const key = { "x-api-key": apiKey(1).key };
  expect(await ask("GET", "/docs/count", { headers: key })).toBe("503 AUTH_UNAVAILABLE");
});

test("a logout ends nothing, a login and a refresh fail", async () => {
  const out = { body: { token: mine.token }, headers };
  expect(await ask("POST", "/auth/logout", out)).toBe("503 AUTH_UNAVAILABLE");
  // Without a token to revoke it is the database alone that is missed.
  expect(await ask("POST", "/auth/logout", { body: out.body })).toBe("500 DATABASE_ERROR");
  const email = "user1@example.com";
  expect(await ask("POST", "/auth/login", { body: { email, password } })).toBe("500 DATABASE_ERROR");
  const body = { refreshToken: mine.token };
  expect(await ask("POST", "/auth/refresh-token", { body })).toBe("500 DATABASE_ERROR");
  proxy?.mend();
  await eventually(async () => expect(await ask("POST", "/auth/refresh-token", { body })).toBe("200"));
});

test("whoever opens a verification link sees a page that says to come back", async () => {
  const path = `/auth/verify-email?token=${verificationToken(1, "user1@example.com")}`;
  const reply = await service.send({ method: "GET", path });
  expect(reply.status).toBe(503);
  expect(reply.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(reply.text).toContain("Nothing is wrong with the link");
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
