import { afterEach, describe, expect, test } from "vitest";
import { ServiceError } from "#runtime/index";
import { errorCodes } from "#vocabulary/error-codes";
import { account, accounts, password } from "../../support/accounts.ts";
import { testClock } from "../../support/clock.ts";
import { limited } from "../../support/limited-service.ts";
import { signing } from "../../support/links.ts";
import { enrol, wrongTotp } from "../../support/mfa.ts";
import type { Reply } from "../../support/request.ts";
import { expectEnvelope } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { type Caller, claimsOf, signed } from "../../support/service-token.ts";
import { stage } from "../fixture/stage.ts";

const clock = testClock();
const service = await testService({ ...signing, auth: { cookieName: "session" } }, { now: clock.now });

const strict = await testService(limited({ rateLimit: { defaultMaxRequests: 1 } }));

const revoked = claimsOf("user");
const given = {
  ...accounts([
    account(1),
    account(2, { is_active: false }),
    account(3, { is_verified: false }),
    account(4, { email: "mfa@example.com" }),
  ]),
  auth_token_blacklist: [{ jti: revoked["jti"], expires_at: new Date(Date.now() + 3_600_000).toISOString() }],
};

type Body = Record<string, string | number | null>;

const post = (route: string, body: Body, as: Caller = null) =>
  service.send({ method: "POST", path: `/auth/${route}`, body }, as);
const login = (email: string, rest: Body = {}) => post("login", { email, password, ...rest });
const me = (authorization?: string) =>
  service.send({
    method: "GET",
    path: "/auth/me",
    ...(authorization !== undefined && { headers: { authorization } }),
  });
const changing = (text: string, confirmation = text, current = password) =>
  post(
    "change-password",
    { current_password: current, new_password: text, confirm_password: confirmation },
    "user",
  );

async function without(table: string, ask: () => Promise<Reply>): Promise<Reply> {
  await service.query(`ALTER TABLE ${table} RENAME TO gone`);
  try {
    return await ask();
  } finally {
    await service.query(`ALTER TABLE gone RENAME TO ${table}`);
  }
}

/** What somebody enrolled for MFA gets. */
async function asEnrolled(code?: "wrong"): Promise<Reply> {
  const { secret } = await enrol(service, clock, { role: "user", sub: "4" });
  return login("mfa@example.com", code === undefined ? {} : { mfa_code: wrongTotp(secret, clock) });
}

async function beyondTheLimit(): Promise<Reply> {
  const ask = () => strict.send({ method: "POST", path: "/auth/login", body: {} });
  await ask();
  return ask();
}

function refusedByHook(): Promise<Reply> {
  stage.hooks = {
    before_register() {
      throw new ServiceError("AUTHENTICATION_ERROR");
    },
  };
  return post("register", { email: "new@example.com", password });
}

/** Requests of accounts, and the error of the contract's table that each is answered with ("Errors"). */
// biome-ignore format: one case a line
const answers: readonly (readonly [
  error: string,
  status: number,
  name: string,
  ask: () => Promise<Reply>,
])[] = [
  ["VALIDATION_ERROR", 400, "a missing field", () => post("login", { email: "a@example.com" })],
  ["VALIDATION_ERROR", 400, "another confirmation", () => changing("Another-Horse-2?", "x")],
  ["VALIDATION_ERROR", 400, "an invalid expires_at", () => post("api-keys/create", { expires_at: "soon" }, "user")],
  ["AUTHENTICATION_ERROR", 401, "thrown by a hook: no route has a use for it", refusedByHook],
  ["PERMISSION_DENIED", 403, "a link without the role", () => post("generate-verification-link", { user_id: 1 }, "user")],
  ["PERMISSION_DENIED", 403, "a key for somebody else", () => post("api-keys/create", { user_id: 2 }, "user")],
  ["NOT_FOUND", 404, "no such route", () => post("nothing", {})],
  ["RATE_LIMIT_EXCEEDED", 429, "a request beyond the limit", beyondTheLimit],
  ["NOT_FOUND", 404, "a valid token whose user is gone", () => me(`Bearer ${signed(claimsOf({ role: "user", sub: "9" }))}`)],
  ["NOT_FOUND", 404, "a logout of an unknown token", () => post("logout", { token: "x" })],
  ["DATABASE_ERROR", 500, "a login without the table", () => without("users", () => login("user1@example.com"))],
  ["HTTP_ERROR", 405, "another method", () => service.send({ method: "PUT", path: "/auth/login" })],
  ["HTTP_ERROR", 503, "one-time codes without a provider", () => post("request-otp", { phone_number: "+12025550123" })],
  ["MISSING_TOKEN", 401, "no credential", () => me()],
  ["INVALID_TOKEN", 401, "a malformed access token", () => me("Bearer x")],
  ["INVALID_TOKEN", 401, "a malformed refresh token", () => post("refresh-token", { refreshToken: "x" })],
  ["TOKEN_EXPIRED", 401, "an expired token", () => me(`Bearer ${signed({ ...claimsOf("user"), exp: 1 })}`)],
  ["TOKEN_REVOKED", 401, "a revoked token", () => me(`Bearer ${signed(revoked)}`)],
  ["AUTH_UNAVAILABLE", 503, "a blacklist that cannot be read", () => without("auth_token_blacklist", () => me(`Bearer ${signed(claimsOf("user"))}`))],
  [
    "INVALID_API_KEY",
    401,
    "an unknown API key",
    () => service.send({ method: "GET", path: "/tasks/fetch", headers: { "x-api-key": `kk_${"0".repeat(64)}` } }),
  ],
  ["INVALID_CREDENTIALS", 401, "an unknown address", () => login("nobody@example.com")],
  ["INVALID_CREDENTIALS", 401, "a wrong password", () => login("user1@example.com", { password: "x" })],
  ["INVALID_CREDENTIALS", 401, "a wrong current password", () => changing("Another-Horse-2?", "Another-Horse-2?", "x")],
  ["INVALID_OTP", 401, "a wrong code", () => post("verify-otp", { phone_number: "+12025550123", otp: "123456" })],
  ["MFA_REQUIRED", 403, "a login without a code", () => asEnrolled()],
  ["INVALID_MFA_CODE", 401, "a login with a wrong code", () => asEnrolled("wrong")],
  ["ACCOUNT_INACTIVE", 403, "a deactivated account", () => login("user2@example.com")],
  ["EMAIL_NOT_VERIFIED", 403, "an address that was never verified", () => login("user3@example.com")],
  ["WEAK_PASSWORD", 400, "a password that is too short", () => changing("Short-1!")],
  [
    "INVALID_RESET_TOKEN",
    400,
    "a reset link that is none",
    () => post("reset-password", { token: "x", new_password: "Another-Horse-2?", confirm_password: "Another-Horse-2?" }),
  ],
  ["EMAIL_ALREADY_EXISTS", 409, "an address that has an account", () => post("register", { email: "USER1@example.com", password })],
  ["USER_DATA_ERROR", 500, "a record that cannot be read", () => without("users", () => me(`Bearer ${signed(claimsOf("user"))}`))],
];

/** Codes of other parts of the contract. */
const others = [
  "INTERNAL_ERROR",
  "MOBILE_SIGN_IN_NOT_SUPPORTED",
  "SOCIAL_AUTH_FAILED",
  "SOCIAL_EMAIL_NOT_VERIFIED",
  "STORAGE_ERROR",
];

afterEach(() => {
  Object.assign(stage, { hooks: {}, fired: [] });
});

describe("errors of accounts", () => {
  test.each(answers)("%s %i: %s", async (error, status, _, ask) => {
    await service.store(given);
    const reply = await ask();
    expectEnvelope(reply);
    expect([reply.envelope.error, reply.status]).toEqual([error, status]);
    expect(reply.headers["set-cookie"]).toBeUndefined();
  });

  test("are all that the table has for accounts", () => {
    const asked = new Set(answers.map(([error]) => error));
    expect([...asked, ...others].sort()).toEqual(Object.keys(errorCodes).sort());
  });
});
