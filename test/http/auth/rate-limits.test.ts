import { beforeEach, describe, expect, test } from "vitest";
import { createDatabase } from "#runtime/core/database/index";
import { accountRoutes } from "#vocabulary/built-in-routes";
import type { Json } from "#vocabulary/json";
import { account, accounts, countRows, password, session } from "../../support/accounts.ts";
import { serviceDatabase } from "../../support/database.ts";
import { type LimitedService, limit, limited, limitedServices } from "../../support/limited-service.ts";
import { mailing, resetToken } from "../../support/links.ts";
import { requestOf } from "../../support/request.ts";
import { expectEnvelope, outcome } from "../../support/scenarios.ts";
import { type TestService, testService } from "../../support/service.ts";
import type { Caller } from "../../support/service-token.ts";
import { silent } from "../../support/silent-log.ts";
import { testSms } from "../../support/sms.ts";
import { testSmtp } from "../../support/smtp.ts";
import { socialSettings } from "../../support/social/sign-in.ts";
import { service as fixture } from "../fixture/generated/index.ts";

const sms = await testSms();
/** It answers by GET and by POST, and has mobile sign-in. */
const provider = "apple-id";
const social = socialSettings({ [provider]: { settings: { team_id: "T", key_id: "K" } } });
const services = await limitedServices({ ...mailing(await testSmtp()), sms: sms.settings, social });

const email = "user1@example.com";
const phone = "+12025550123";
const here = "203.0.113.7";
const mine = session(1);
const given = accounts([account(1), account(2)], [mine.row]);
const confirmed = { new_password: "Another-Horse-2?", confirm_password: "Another-Horse-2?" };

/** A route, and a request to it that is right, or does no harm. `count` tells the requests of a test apart. */
interface Asked {
  readonly send: string;
  readonly as?: Caller;
  readonly body?: (count: number) => Record<string, Json>;
  /** The keys that it is counted under. */
  readonly keys?: readonly string[];
}

const user = { role: "user", sub: "1" };
const fixed = (body: Record<string, Json>) => () => body;

/** The contract's table, "Rate limiting (CRUD and auth)". */
// biome-ignore format: one case a line
const counted: readonly Asked[] = [
  { send: "POST /auth/login", body: fixed({ email, password }), keys: [`auth:login:ip:${here}`, `auth:login:email:${email}`] },
  { send: "POST /auth/register", body: (count) => ({ email: `new${count}@example.com`, password }), keys: [`auth:register:ip:${here}`] },
  { send: "GET /auth/verify-email", keys: [`auth:verify-email:ip:${here}`] },
  { send: "POST /auth/request-verification", body: fixed({ email }), keys: [`auth:request-verification:email:${email}`] },
  { send: "POST /auth/request-reset-password", body: fixed({ email }), keys: [`auth:request-reset-password:email:${email}`] },
  { send: "POST /auth/request-otp", body: fixed({ phone_number: phone }), keys: [`auth:request-otp:phone:${phone}`] },
  { send: "POST /auth/verify-otp", body: fixed({ phone_number: phone, otp: "000000" }), keys: [`auth:verify-otp:phone:${phone}`] },
  { send: "POST /auth/setup-mfa", as: user, body: fixed({}), keys: [`auth:setup-mfa:ip:${here}`] },
  { send: "POST /auth/verify-mfa", as: user, body: fixed({ code: "1" }), keys: [`auth:verify-mfa:ip:${here}`] },
  { send: "POST /auth/disable-mfa", as: user, body: fixed({ code: "1" }), keys: [`auth:disable-mfa:ip:${here}`] },
  { send: "POST /auth/change-email", as: user, body: fixed({ new_email: "New@example.com" }), keys: ["auth:change-email:user:1", "auth:change-email:email:new@example.com"] },
  { send: "GET /auth/export", as: user, keys: ["auth:export:user:1"] },
  { send: "POST /auth/accept-invitation", body: fixed({ token: "x", new_password: "x", confirm_password: "x" }), keys: [`auth:accept-invitation:ip:${here}`] },
  { send: "POST /auth/change-email/confirm", body: fixed({ token: "x" }), keys: [`auth:change-email/confirm:ip:${here}`] },
  { send: "POST /auth/change-phone", as: user, body: fixed({ phone_number: phone }), keys: ["auth:change-phone:user:1", `auth:change-phone:phone:${phone}`] },
  { send: "POST /auth/change-phone/confirm", as: user, body: fixed({ code: "000000" }), keys: ["auth:change-phone/confirm:user:1"] },
  { send: "POST /auth/request-email-code", body: fixed({ email }), keys: [`auth:request-email-code:email:${email}`] },
  { send: "POST /auth/verify-email-code", body: fixed({ email, code: "000000" }), keys: [`auth:verify-email-code:email:${email}`] },
  { send: "POST /auth/passkeys/register", as: user, body: fixed({ response: {} }), keys: ["auth:passkeys/register:user:1"] },
  { send: "POST /auth/passkeys/login-options", body: fixed({}), keys: [`auth:passkeys/login-options:ip:${here}`] },
  { send: "POST /auth/passkeys/login", body: fixed({ response: {} }), keys: [`auth:passkeys/login:ip:${here}`] },
  { send: "POST /auth/providers/{provider}/link", as: user, body: fixed({}), keys: ["auth:providers/link:user:1"] },
  { send: "GET /auth/{provider}/callback", keys: [`social:callback:ip:${here}`] },
  { send: "POST /auth/{provider}/callback", keys: [`social:callback:ip:${here}`] },
  { send: "POST /auth/apple/callback", keys: [`social:callback:ip:${here}`] },
  { send: "POST /auth/{provider}/mobile", body: fixed({}), keys: [`social:mobile:ip:${here}`] },
];

// biome-ignore format: one case a line
const uncounted: readonly Asked[] = [
  { send: "POST /auth/refresh-token", body: fixed({ refreshToken: mine.token }) },
  { send: "POST /auth/reset-password", body: fixed({ token: resetToken(1), ...confirmed }) },
  { send: "POST /auth/logout", body: fixed({ token: mine.token }) },
  { send: "POST /auth/change-password", as: user, body: fixed({ current_password: "Wrong-Horse-1!", ...confirmed }) },
  { send: "GET /auth/me", as: user },
  { send: "POST /auth/get-current-user", as: user, body: fixed({}) },
  { send: "GET /auth/forgot-password" },
  { send: "GET /auth/sign-in" },
  { send: "GET /auth/providers" },
  { send: "GET /auth/{provider}/login" },
  { send: "POST /auth/verify-web-auth", body: fixed({ token: "x" }) },
  { send: "POST /auth/generate-verification-link", as: { role: "admin", sub: "2" }, body: fixed({ type: "password_reset" }) },
  { send: "POST /auth/api-keys/create", as: user, body: fixed({ name: "till" }) },
  { send: "GET /auth/api-keys/list", as: user },
  { send: "DELETE /auth/api-keys/revoke", as: user, body: fixed({ key_prefix: "kk_12345678" }) },
  { send: "POST /auth/passkeys/register-options", as: user, body: fixed({}) },
  { send: "GET /auth/passkeys", as: user },
  { send: "PATCH /auth/passkeys/{id}", as: user, body: fixed({ name: "x" }) },
  { send: "DELETE /auth/passkeys/{id}", as: user },
  { send: "GET /auth/providers/linked", as: user },
  { send: "DELETE /auth/providers/{provider}", as: user },
  { send: "GET /auth/sessions", as: user },
  { send: "DELETE /auth/sessions", as: user },
  { send: "DELETE /auth/sessions/{id}", as: user },
  { send: "DELETE /auth/change-email", as: user },
  { send: "GET /auth/change-email" },
  { send: "GET /auth/account", as: user },
  { send: "PATCH /auth/me", as: user, body: fixed({ first_name: "Ann" }) },
  { send: "POST /auth/set-password", as: user, body: fixed(confirmed) },
  { send: "DELETE /auth/password", as: user },
  { send: "DELETE /auth/phone", as: user },
  { send: "GET /auth/accept-invitation" },
  { send: "DELETE /auth/me", as: user },
];

function ask(service: LimitedService, { send, as = null, body }: Asked, count: number) {
  const headers = { "x-forwarded-for": here };
  const request = requestOf(send.replace("{provider}", provider), body?.(count));
  return service.send({ ...request, headers }, as);
}

test("every route is counted as the contract says", () => {
  const declared = accountRoutes.map(({ method, path, counters }) => [`${method} /auth${path}`, counters]);
  const expected = [...counted, ...uncounted].map(({ send, keys = [] }) => [
    send,
    // In the order in which they are asked.
    keys.map((key) => key.split(":")[2]),
  ]);
  expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(expected));
});

describe.each(services)("counters in $counters", (service) => {
  beforeEach(async () => {
    await service.forget();
    await service.store(given);
  });

  test.each(counted)("$send: the request after the last of a minute is refused", async (asked) => {
    for (let count = 0; count < limit; count++) {
      const reply = await ask(service, asked, count);
      expect(reply.status).not.toBe(429);
      expect(Object.keys(reply.headers).filter((name) => name.startsWith("x-ratelimit"))).toEqual([]);
    }
    service.clock.pass(15);
    const refused = await ask(service, asked, limit);
    expect(refused.status).toBe(429);
    expect(refused.headers["retry-after"]).toBe("45");
    expect(refused.headers["cache-control"]).toBe("no-store");
    if (asked.send.startsWith("POST")) {
      expectEnvelope(refused);
      expect(outcome(refused)).toBe("429 RATE_LIMIT_EXCEEDED");
      expect(refused.envelope.message).toMatch(/^Too many requests\. Try again in 45 seconds\./);
    }
    expect(Object.keys(refused.headers).filter((name) => name.startsWith("x-ratelimit"))).toEqual([]);
    // Messages have counters of their own: message-limits.test.ts.
    const counted = Object.entries(await service.counted()).filter(([key]) => !/^auth:(mail|sms):/.test(key));
    expect(Object.fromEntries(counted)).toEqual(
      Object.fromEntries((asked.keys ?? []).map((key) => [key, limit])),
    );
    service.clock.pass(45);
    expect((await ask(service, asked, limit + 1)).status).not.toBe(429);
  });

  test.each(uncounted)("$send: never refused, and counted nowhere", async (asked) => {
    for (let count = 0; count < limit + 2; count++)
      expect((await ask(service, asked, count)).status).not.toBe(429);
    // Wrong passwords have a counter of their own: password-work.test.ts.
    const counted = Object.keys(await service.counted()).filter(
      (key) => !key.startsWith("auth:change-password:user:"),
    );
    expect(counted).toEqual([]);
  });
});

const right = { email, password };
const oneUser = accounts([account(1)]);
const loginKey = "auth:login:ip:127.0.0.1";

describe.each(services)("counters in $counters", (service) => {
  beforeEach(async () => {
    await service.forget();
    await service.store(oneUser);
  });

  const login = (path: string, method = "POST", headers = {}) =>
    service.send({ method, path, headers, body: right });

  /** Ways to write the path of the route, and what they lead to once its limit is used up. */
  test.each<[string, number]>([
    ["/auth/login", 429],
    ["/auth/login?", 429],
    ["/auth/login?x=1", 429],
    ["/auth/login?x=%6F", 429],
    ["http://shop.example/auth/login", 429],
    ["HTTP://other.example:80/auth/login?x=1", 429],
    ["/auth/login/", 404],
    ["/auth//login", 404],
    ["//auth/login", 404],
    ["/auth/./login", 404],
    ["/auth/x/../login", 404],
    ["/auth/l%6Fgin", 404],
    ["/auth%2Flogin", 404],
    ["/auth/login%00", 400],
    ["/auth/login%20", 404],
    ["/auth/login;x=1", 404],
    ["/auth/login#x", 404],
    ["/auth\\login", 404],
    ["/AUTH/login", 404],
    ["/auth/LOGIN", 404],
  ])("%s", async (path, status) => {
    for (let count = 0; count < limit; count++) expect((await login("/auth/login")).status).toBe(200);
    expect((await login(path)).status).toBe(status);
    expect(await service.counted()).toEqual({ [loginKey]: limit, [`auth:login:email:${email}`]: limit });
  });

  test.each(["http://shop.example/auth/login", "/auth/login?x=1"])("%s counts as the route", async (path) => {
    for (let count = 0; count < limit; count++) expect((await login(path)).status).toBe(200);
    expect((await login("/auth/login")).status).toBe(429);
  });

  test.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])(
    "%s is no way in, and counts nowhere",
    async (method) => {
      const headers = { "x-http-method-override": "POST", "x-http-method": "POST" };
      for (let count = 0; count < limit + 1; count++)
        expect((await login("/auth/login", method, headers)).status).toBe(405);
      expect(await service.counted()).toEqual({});
    },
  );

  test.each(["none", "of an admin"])("a credential does not change the limit: %s", async (who) => {
    const as = who === "none" ? null : { role: "admin", sub: "1" };
    for (let count = 0; count < limit; count++) await login("/auth/login");
    expect(outcome(await service.send({ method: "POST", path: "/auth/login", body: right }, as))).toBe(
      "429 RATE_LIMIT_EXCEEDED",
    );
  });
});

test("with limits off nothing is counted, and nothing refused", async () => {
  const service = await testService(limited({ rateLimit: { enabled: false } }));
  await service.store(oneUser);
  for (let count = 0; count < limit + 2; count++)
    expect(outcome(await service.send({ method: "POST", path: "/auth/login", body: right }))).toBe("200");
  expect(await countRows(service, "kirak_rate_limits")).toBe(0);
});

const refused = "429 RATE_LIMIT_EXCEEDED";

const login = async (service: TestService) =>
  outcome(await service.send({ method: "POST", path: "/auth/login", body: right }));
const lines = ({ log }: TestService, message: string) => log.filter(({ msg }) => msg === message);

/** Uses the limit up. */
async function useUp(service: TestService): Promise<void> {
  await service.store(oneUser);
  for (let count = 0; count < limit; count++) expect(await login(service)).toBe("200");
  expect(await login(service)).toBe(refused);
}

/** No login is limited, and the log has one line about it, without addresses. */
async function expectOpen(service: TestService): Promise<void> {
  for (let count = 0; count < limit * 2; count++) expect(await login(service)).toBe("200");
  const path = "/auth/verify-email?token=x";
  for (let count = 0; count < limit * 2; count++)
    expect((await service.send({ method: "GET", path })).status).toBe(400);
  const warnings = lines(service, "rate limits cannot be counted: requests pass unlimited");
  expect(warnings).toHaveLength(1);
  expect(JSON.stringify(warnings)).not.toContain("user1");
}

test("PostgreSQL is gone for the counters: requests pass", async () => {
  const { url } = await serviceDatabase(fixture);
  const counting = createDatabase({ url, log: silent });
  const service = await testService(limited({}), { counting });
  try {
    await useUp(service);
  } finally {
    await counting.close();
  }
  await expectOpen(service);
});
