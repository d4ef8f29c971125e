import { expect, test } from "vitest";
import { accountRoutes, isSocialPath, signInPath } from "#vocabulary/built-in-routes";
import type { Json } from "#vocabulary/json";
import { account, accounts, apiKey, password, session, storedReset } from "../support/accounts.ts";
import { testClock } from "../support/clock.ts";
import { mailing, resetToken, verificationToken } from "../support/links.ts";
import { setUp, totp } from "../support/mfa.ts";
import { expectDescribed } from "../support/openapi.ts";
import { outcome } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";
import type { Caller } from "../support/service-token.ts";
import { testSms } from "../support/sms.ts";
import { testSmtp } from "../support/smtp.ts";

const clock = testClock();
const sms = await testSms();
const service = await testService({ ...mailing(await testSmtp()), sms: sms.settings }, { now: clock.now });

const user = { role: "user", sub: "1" };
const admin = { role: "admin", sub: "2" };
const gone = { role: "user", sub: "9" };
const email = "user1@example.com";
const phone = "+12025550123";
const old = session(1);
const key = apiKey(1);
const reset = resetToken(1);
const newPassword = { new_password: "Another-Horse-2!", confirm_password: "Another-Horse-2!" };
const idle = account(3, { email: "idle@example.com", is_active: false });
const given = accounts(
  [account(1), account(2, { role: "admin" }), idle],
  [old.row, key.row, storedReset(1, reset)],
);

type Step = readonly [line: string, body: Json | undefined, as: Caller, outcome: string];

/** The outcome of a request, whose answer must be as the document says. */
async function answered(line: string, body: Json | undefined, as: Caller): Promise<string> {
  const [method = "", path = ""] = line.split(" ");
  const reply = await service.send({ method, path: `/auth${path}`, body }, as);
  const [template = ""] = path.split("?");
  expectDescribed(method, `/auth${template}`, reply);
  return reply.headers["content-type"]?.startsWith("text/html") ? `${reply.status} page` : outcome(reply);
}

// biome-ignore format: one request a line
const steps: readonly Step[] = [
  ["POST /register", { email: "new@example.com", password, first_name: null }, null, "200"],
  ["POST /register", { email, password }, null, "409 EMAIL_ALREADY_EXISTS email"],
  ["POST /register", { email: "weak@example.com", password: "short" }, null, "400 WEAK_PASSWORD password"],
  ["POST /register", { email: "no address", password }, null, "400 VALIDATION_ERROR email"],
  ["POST /login", { email, password, device_token: 7, mfa_code: null }, null, "200"],
  ["POST /login", { email, password: "wrong" }, null, "401 INVALID_CREDENTIALS"],
  ["POST /login", { email: "new@example.com", password }, null, "403 EMAIL_NOT_VERIFIED"],
  ["POST /login", { email: "idle@example.com", password }, null, "403 ACCOUNT_INACTIVE"],
  ["POST /login", "email=a", null, "415 HTTP_ERROR"],
  ["POST /refresh-token", { refreshToken: "x" }, null, "401 INVALID_TOKEN"],
  ["POST /logout", { token: "x" }, user, "404 NOT_FOUND"],
  ["GET /me", undefined, user, "200"],
  ["GET /me", undefined, null, "401 MISSING_TOKEN"],
  ["GET /me", undefined, gone, "404 NOT_FOUND"],
  ["GET /me?x=%ff", undefined, user, "400 VALIDATION_ERROR"],
  ["POST /get-current-user", undefined, user, "200"],
  ["POST /get-current-user", { x: 1 }, user, "400 VALIDATION_ERROR x"],
  ["POST /request-verification", { email }, null, "200"],
  ["POST /request-verification", {}, null, "400 VALIDATION_ERROR email"],
  ["POST /request-reset-password", { email: "nobody@example.com" }, null, "200"],
  ["GET /forgot-password", undefined, null, "200 page"],
  ["GET /verify-email", undefined, null, "400 page"],
  [`GET /verify-email?token=${verificationToken(1, email)}`, undefined, null, "200 page"],
  ["POST /generate-verification-link", { user_id: 1, email, type: "email_verification" }, admin, "200"],
  ["POST /generate-verification-link", { user_id: 1, email: "a@b.example", type: "password_reset" }, admin, "400 VALIDATION_ERROR email"],
  ["POST /generate-verification-link", { user_id: 1, email, type: "password_reset" }, user, "403 PERMISSION_DENIED"],
  ["POST /api-keys/create", undefined, user, "200"],
  ["POST /api-keys/create", { name: "till", user_id: 1 }, admin, "200"],
  ["POST /api-keys/create", { user_id: 2 }, user, "403 PERMISSION_DENIED"],
  ["POST /api-keys/create", { user_id: 9 }, admin, "404 NOT_FOUND"],
  ["GET /api-keys/list", undefined, user, "200"],
  ["GET /api-keys/list?user_id=x", undefined, admin, "400 VALIDATION_ERROR user_id"],
  ["DELETE /api-keys/revoke", { key_prefix: key.prefix }, user, "200"],
  ["DELETE /api-keys/revoke", { id: 1 }, user, "404 NOT_FOUND"],
  ["DELETE /api-keys/revoke", {}, user, "400 VALIDATION_ERROR id"],
  ["POST /request-otp", { phone_number: phone }, null, "200"],
  ["POST /request-otp", { phone_number: "1" }, null, "400 VALIDATION_ERROR phone_number"],
  ["POST /verify-otp", { phone_number: phone, otp: "x" }, null, "401 INVALID_OTP"],
  ["POST /request-email-code", { email }, null, "200"],
  ["POST /verify-email-code", { email, code: "x" }, null, "401 INVALID_OTP"],
  ["POST /passkeys/register-options", {}, user, "403 REAUTHENTICATION_REQUIRED"],
  ["POST /passkeys/register", { response: {} }, user, "401 TOKEN_REVOKED"],
  ["POST /passkeys/login-options", {}, null, "200"],
  ["POST /passkeys/login", { response: {} }, null, "401 PASSKEY_FAILED"],
  ["GET /passkeys", undefined, user, "200"],
  ["PATCH /passkeys/{id}", { name: "x" }, user, "404 NOT_FOUND"],
  ["DELETE /passkeys/{id}", undefined, user, "403 REAUTHENTICATION_REQUIRED"],
  ["GET /providers/linked", undefined, user, "200"],
  ["DELETE /providers/{provider}", undefined, user, "403 REAUTHENTICATION_REQUIRED"],
  ["POST /verify-mfa", { code: "1" }, user, "400 VALIDATION_ERROR"],
  ["POST /disable-mfa", {}, user, "400 VALIDATION_ERROR code"],
  ["GET /providers", undefined, null, "200"],
  ["POST /verify-web-auth", { token: "x" }, null, "401 INVALID_TOKEN"],
  ["GET /sessions", undefined, user, "200"],
  ["DELETE /sessions", undefined, user, "200"],
  ["DELETE /sessions", undefined, gone, "404 NOT_FOUND"],
  ["DELETE /sessions/{id}", undefined, user, "404 NOT_FOUND"],
  ["POST /change-email", { new_email: "x" }, user, "400 VALIDATION_ERROR new_email"],
  ["POST /change-email", { new_email: "new2@example.com" }, user, "403 REAUTHENTICATION_REQUIRED"],
  ["DELETE /change-email", undefined, user, "404 NOT_FOUND"],
  ["GET /change-email", undefined, null, "200 page"],
  ["POST /change-email/confirm", { token: "x" }, null, "400 INVALID_LINK"],
  ["GET /account", undefined, user, "200"],
  ["GET /account", undefined, gone, "404 NOT_FOUND"],
  ["PATCH /me", { first_name: "Ann", last_name: null }, user, "200"],
  ["PATCH /me", {}, user, "400 VALIDATION_ERROR first_name"],
  ["PATCH /me", { first_name: "Ann" }, gone, "404 NOT_FOUND"],
  ["POST /set-password", { new_password: "short", confirm_password: "short" }, user, "400 WEAK_PASSWORD new_password"],
  ["POST /set-password", { new_password: password, confirm_password: password }, user, "403 REAUTHENTICATION_REQUIRED"],
  ["DELETE /password", undefined, user, "403 REAUTHENTICATION_REQUIRED"],
  ["POST /change-phone", { phone_number: "1" }, user, "400 VALIDATION_ERROR phone_number"],
  ["POST /change-phone", { phone_number: phone }, user, "403 REAUTHENTICATION_REQUIRED"],
  ["POST /change-phone/confirm", { code: "000000" }, user, "401 INVALID_OTP"],
  ["DELETE /phone", undefined, gone, "404 NOT_FOUND"],
  ["POST /accept-invitation", { token: "x", ...newPassword }, null, "400 INVALID_LINK"],
  ["GET /accept-invitation", undefined, null, "200 page"],
  ["GET /export", undefined, user, "403 REAUTHENTICATION_REQUIRED"],
  ["DELETE /me", undefined, user, "403 REAUTHENTICATION_REQUIRED"],
];

test("answers of account routes are as the document says", async () => {
  await service.store(given);
  const outcomes: string[] = [];
  for (const [line, body, as] of steps) outcomes.push(`${line} ${await answered(line, body, as)}`);
  expect(outcomes).toEqual(steps.map(([line, , , expected]) => `${line} ${expected}`));
  await service.settled();
});

test("those that need a code, a session or a link are too", async () => {
  await service.store(given);
  const send = (line: string, body: Json, as: Caller = null) => answered(line, body, as);
  await send("POST /request-otp", { phone_number: phone });
  expect(await send("POST /verify-otp", { phone_number: phone, otp: sms.codeOf(phone) })).toBe("200");
  const { secret } = await setUp(service, user);
  expect(await send("POST /verify-mfa", { code: totp(secret, clock), action: "activate" }, user)).toBe("200");
  expect(await send("POST /setup-mfa", {}, user)).toBe("400 VALIDATION_ERROR");
  clock.pass(30);
  expect(await send("POST /verify-mfa", { code: totp(secret, clock) }, user)).toBe("200");
  expect(await send("POST /login", { email, password })).toBe("403 MFA_REQUIRED");
  expect(await send("POST /login", { email, password, mfa_code: "1" })).toBe("401 INVALID_MFA_CODE");
  clock.pass(30);
  expect(await send("POST /disable-mfa", { code: totp(secret, clock) }, user)).toBe("200");
  expect(await send("POST /setup-mfa", {}, user)).toBe("200");
  expect(await send("POST /refresh-token", { refreshToken: old.token })).toBe("200");
  const stored = session(1);
  await service.store(accounts([account(1)], [stored.row, storedReset(1, reset)]));
  expect(await send("POST /logout", { token: stored.token, logout_type: "all" }, user)).toBe("200");
  expect(await send("POST /reset-password", { token: "x", ...newPassword })).toBe("400 INVALID_RESET_TOKEN");
  expect(await send("POST /reset-password", { token: reset, ...newPassword })).toBe("200");
});

test("a change of the password is too, and its limit", async () => {
  await service.store(given);
  const change = (current_password: string, sent = newPassword) =>
    answered(
      "POST /change-password",
      { current_password, ...sent },
      { role: "user", sub: "1", email: "other" },
    );
  const mistyped = { ...newPassword, confirm_password: "other" };
  expect(await change(password, mistyped)).toBe("400 VALIDATION_ERROR confirm_password");
  for (let tries = 0; tries < 10; tries++)
    expect(await change("wrong")).toBe("401 INVALID_CREDENTIALS current_password");
  expect(await change("wrong")).toBe("429 RATE_LIMIT_EXCEEDED");
  clock.pass(15 * 60);
  expect(await change(password)).toBe("200");
});

test("the tests above send requests to each route", () => {
  const described = accountRoutes.filter(({ path }) => !isSocialPath(path) && path !== signInPath);
  // test/http/social/account-links.test.ts has those of linking.
  const others = [
    "providers/{provider}/link",
    "verify-otp",
    "setup-mfa",
    "reset-password",
    "change-password",
  ].map((path) => `POST /${path}`);
  const sent = new Set([...steps.map(([line]) => line.split("?")[0]), ...others]);
  expect(described.map(({ method, path }) => `${method} ${path}`).filter((line) => !sent.has(line))).toEqual(
    [],
  );
});
