import { beforeEach, describe, expect, test } from "vitest";
import { accountRoutes } from "#vocabulary/built-in-routes";
import { account, accounts, password, session } from "../../support/accounts.ts";
import { type LimitedService, limit, limitedServices } from "../../support/limited-service.ts";
import { mailing, resetToken } from "../../support/links.ts";
import { expectEnvelope, outcome } from "../../support/scenarios.ts";
import type { Caller } from "../../support/service-token.ts";
import { testSms } from "../../support/sms.ts";
import { testSmtp } from "../../support/smtp.ts";
import { socialSettings } from "../../support/social/sign-in.ts";

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
  readonly body?: (count: number) => Record<string, string>;
  /** The keys that it is counted under. */
  readonly keys?: readonly string[];
}

const user = { role: "user", sub: "1" };
const fixed = (body: Record<string, string>) => () => body;

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
];

function ask(service: LimitedService, { send, as = null, body }: Asked, count: number) {
  const [method = "", path = ""] = send.replace("{provider}", provider).split(" ");
  const headers = { "x-forwarded-for": here };
  return service.send({ method, path, headers, ...(body !== undefined && { body: body(count) }) }, as);
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
    expect(Object.keys(refused.headers).filter((name) => name.startsWith("x-ratelimit"))).toEqual([]);
    // Messages have counters of their own: message-limits.test.ts.
    const counted = Object.entries(await service.counted()).filter(([key]) => !/^auth:(mail|sms):/.test(key));
    expect(Object.fromEntries(counted)).toEqual(
      Object.fromEntries((asked.keys ?? []).map((key) => [key, limit])),
    );
    service.clock.pass(45);
    expect((await ask(service, asked, limit + 1)).status).not.toBe(429);
  });

  test.each(counted.filter(({ send }) => send.startsWith("POST")))(
    "$send: 429 in the envelope",
    async (asked) => {
      for (let count = 0; count < limit; count++) await ask(service, asked, count);
      const refused = await ask(service, asked, limit);
      expectEnvelope(refused);
      expect(outcome(refused)).toBe("429 RATE_LIMIT_EXCEEDED");
      expect(refused.envelope.message).toMatch(/^Too many requests\. Try again in 60 seconds\./);
    },
  );

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
