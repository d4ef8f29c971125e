import { describe, expect, test } from "vitest";
import { accountRoutes } from "#runtime/modules/auth/index";
import type { Json } from "#vocabulary/json";
import { account, accounts, password, session } from "../../support/accounts.ts";
import { mailing, resetToken } from "../../support/links.ts";
import { requestOf, type Sent } from "../../support/request.ts";
import { outcome, type Scenario, scenarios } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { claimsOf, signed, tokenOf } from "../../support/service-token.ts";
import { testSms } from "../../support/sms.ts";
import { testSmtp } from "../../support/smtp.ts";
import { socialSettings } from "../../support/social/sign-in.ts";

const sms = await testSms();
const apple = { "apple-id": { settings: { team_id: "TEAM", key_id: "KEY" } } };
const settings = {
  ...mailing(await testSmtp()),
  sms: sms.settings,
  auth: { cookieName: "session" },
  social: socialSettings(apple),
};
const service = await testService(settings);

const mine = session(1);
const revoked = claimsOf("user");
const given = {
  ...accounts([account(1)], [mine.row]),
  auth_token_blacklist: [{ jti: revoked["jti"], expires_at: new Date(Date.now() + 3_600_000).toISOString() }],
};
const email = "user1@example.com";
const confirmed = { new_password: "Another-Horse-2?", confirm_password: "Another-Horse-2?" };

/** A route whose credential is never read, a request to it, and its answer. */
interface PublicRoute {
  readonly send: string;
  readonly body?: Record<string, Json>;
  readonly status?: string;
}

// biome-ignore format: one case a line
const open: readonly PublicRoute[] = [
  { send: "POST /auth/register", body: { email: "new@example.com", password } },
  { send: "POST /auth/login", body: { email, password } },
  { send: "POST /auth/refresh-token", body: { refreshToken: mine.token } },
  { send: "POST /auth/request-verification", body: { email } },
  { send: "POST /auth/request-reset-password", body: { email } },
  { send: "POST /auth/reset-password", body: { token: resetToken(1), ...confirmed }, status: "400 INVALID_RESET_TOKEN" },
  { send: "POST /auth/request-otp", body: { phone_number: "+12025550123" } },
  { send: "POST /auth/verify-otp", body: { phone_number: "+12025550123", otp: "000000" }, status: "401 INVALID_OTP" },
  { send: "POST /auth/request-email-code", body: { email } },
  { send: "POST /auth/verify-email-code", body: { email, code: "000000" }, status: "401 INVALID_OTP" },
  { send: "POST /auth/passkeys/login-options", body: {} },
  { send: "POST /auth/passkeys/login", body: { response: {} }, status: "401 PASSKEY_FAILED" },
  { send: "POST /auth/change-email/confirm", body: { token: "x" }, status: "400 INVALID_LINK" },
  { send: "POST /auth/accept-invitation", body: { token: "x", ...confirmed }, status: "400 INVALID_LINK" },
];
const pages = [
  "GET /auth/accept-invitation",
  "GET /auth/change-email",
  "GET /auth/forgot-password",
  "GET /auth/sign-in",
  "GET /auth/verify-email",
];
/** What they answer is in the tests of social sign-in. */
// biome-ignore format: many a line
const social = [
  "GET /auth/providers", "GET /auth/{provider}/login", "GET /auth/{provider}/callback", "POST /auth/{provider}/callback", "POST /auth/apple/callback",
  "POST /auth/{provider}/mobile", "POST /auth/verify-web-auth",
];
/** Its credential is optional, and ignored where it is not valid. */
const logout = { send: "POST /auth/logout", body: { token: mine.token } };

/** The routes that need an access token, with bodies that are right, or do no harm. */
const guarded: readonly PublicRoute[] = [
  { send: "GET /auth/me" },
  { send: "POST /auth/get-current-user", body: {} },
  { send: "POST /auth/change-password", body: { current_password: password, ...confirmed } },
  { send: "POST /auth/generate-verification-link", body: {} },
  { send: "POST /auth/setup-mfa", body: {} },
  { send: "POST /auth/verify-mfa", body: { code: "1" } },
  { send: "POST /auth/disable-mfa", body: { code: "1" } },
  { send: "POST /auth/api-keys/create", body: {} },
  { send: "GET /auth/api-keys/list" },
  { send: "DELETE /auth/api-keys/revoke", body: { key_prefix: "kk_12345678" } },
  { send: "POST /auth/passkeys/register-options", body: {} },
  { send: "POST /auth/passkeys/register", body: { response: {} } },
  { send: "GET /auth/passkeys" },
  { send: "PATCH /auth/passkeys/{id}", body: { name: "x" } },
  { send: "DELETE /auth/passkeys/{id}" },
  { send: "GET /auth/providers/linked" },
  { send: "POST /auth/providers/{provider}/link", body: {} },
  { send: "DELETE /auth/providers/{provider}" },
  { send: "GET /auth/sessions" },
  { send: "DELETE /auth/sessions" },
  { send: "DELETE /auth/sessions/{id}" },
  { send: "POST /auth/change-email", body: { new_email: "new@example.com" } },
  { send: "DELETE /auth/change-email" },
  { send: "GET /auth/account" },
  { send: "PATCH /auth/me", body: { first_name: "Ann" } },
  { send: "POST /auth/set-password", body: confirmed },
  { send: "DELETE /auth/password" },
  { send: "POST /auth/change-phone", body: { phone_number: "+12025550123" } },
  { send: "POST /auth/change-phone/confirm", body: { code: "000000" } },
  { send: "DELETE /auth/phone" },
  { send: "DELETE /auth/me" },
  { send: "GET /auth/export" },
];

const expired = signed({ ...claimsOf("user"), iat: 1, exp: 2 });
/** Credentials that are no good, and what is answered where one is needed. */
const bad: readonly (readonly [name: string, headers: Record<string, string>, refusal: string])[] = [
  ["no credential", {}, "401 MISSING_TOKEN"],
  ["another scheme", { authorization: "Basic YTpi" }, "401 INVALID_TOKEN"],
  ["an empty header", { authorization: "" }, "401 INVALID_TOKEN"],
  ["an empty Bearer", { authorization: "Bearer " }, "401 INVALID_TOKEN"],
  ["a malformed token", { authorization: "Bearer x.y.z" }, "401 INVALID_TOKEN"],
  ["a refresh token", { authorization: `Bearer ${mine.token}` }, "401 INVALID_TOKEN"],
  ["an expired token", { authorization: `Bearer ${expired}` }, "401 TOKEN_EXPIRED"],
  ["a revoked token", { authorization: `Bearer ${signed(revoked)}` }, "401 TOKEN_REVOKED"],
  ["an API key as Bearer", { authorization: `Bearer kk_${"0".repeat(64)}` }, "401 MISSING_TOKEN"],
  ["an API key", { "x-api-key": `kk_${"0".repeat(64)}` }, "401 MISSING_TOKEN"],
  ["a broken cookie", { cookie: "session=x" }, "401 INVALID_TOKEN"],
  ["an expired cookie", { cookie: `session=${expired}` }, "401 TOKEN_EXPIRED"],
];

const sending = ({ send, body }: PublicRoute, headers: Scenario["headers"] = {}): Scenario => ({
  name: send,
  given,
  send,
  ...(body !== undefined && { body }),
  headers,
});

test("the routes are those of the contract, and no others", () => {
  const declared = [...open, logout, ...guarded].map(({ send }) => send);
  expect(accountRoutes.map(({ method, path }) => `${method} /auth${path}`).sort()).toEqual(
    [...declared, ...pages, ...social].sort(),
  );
});

describe.each(bad)("with %s", (_, headers, refusal) => {
  describe("a public route answers as without", () => {
    // biome-ignore format: one case a line
    scenarios(service, [
      ...open.map((route) => ({ ...sending(route, headers), ...(route.status !== undefined && { fails: route.status }) })),
      { ...sending(logout, headers), data: { deleted_tokens: 1, logout_type: "single" } },
    ]);
    test.each(pages)("%s", async (send) => {
      const [reply, plain] = [
        await service.send({ ...requestOf(send), headers }),
        await service.send(requestOf(send)),
      ];
      expect([reply.status, reply.text]).toEqual([plain.status, plain.text]);
      expect(reply.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    });
  });

  describe("a route of the signed-in user refuses", () => {
    scenarios(
      service,
      guarded.map((route) => ({
        ...sending(route, headers),
        fails: refusal,
        rows: { auth_mfa: [], auth_tokens: [{}] },
      })),
    );
  });
});

describe("a Bearer token is all that counts where there is one", () => {
  const others = { "x-api-key": "kk_broken", cookie: "session=broken" };
  const authorization = `Bearer ${tokenOf("user")}`;
  scenarios(service, [
    { given, send: "GET /auth/me", headers: { authorization, ...others } },
    { given, send: "GET /auth/me", headers: { ...others }, fails: "401 MISSING_TOKEN" },
  ]);
});

describe("an unreadable blacklist refuses every token, and does not affect routes without one", () => {
  test.each([...guarded, ...open])("$send", async ({ send, body }) => {
    await service.store(given);
    await service.query("ALTER TABLE auth_token_blacklist RENAME TO gone");
    try {
      const reply = await service.send({ ...requestOf(send), ...(body !== undefined && { body }) }, "user");
      const isOpen = open.some((route) => route.send === send);
      if (isOpen) expect(reply.status).not.toBe(503);
      else expect(outcome(reply)).toBe("503 AUTH_UNAVAILABLE");
    } finally {
      await service.query("ALTER TABLE gone RENAME TO auth_token_blacklist");
    }
  });
});

describe("methods and paths", () => {
  const paths = [...new Set(accountRoutes.map(({ path }) => path))];

  const address = (path: string) => `/auth${path.replace("{provider}", "apple-id").replace("{id}", "x")}`;

  test.each(paths)("%s takes its own methods and says which", async (path) => {
    const methods = accountRoutes.filter((route) => route.path === path).map(({ method }) => method);
    const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      if (allow.includes(method)) continue;
      const reply = await service.send({ method, path: address(path) }, "user");
      expect([method, reply.status, reply.headers.allow]).toEqual([method, 405, allow.join(", ")]);
      if (method !== "HEAD") expect(outcome(reply)).toBe("405 HTTP_ERROR");
    }
  });

  test.each(paths)("%s is no other path", async (path) => {
    const own = address(path);
    for (const other of [
      `${own}/`,
      `${own}/x/y`,
      own.replace("auth", "auth/"),
      own.replace("auth", "AUTH"),
      path,
    ])
      for (const method of ["GET", "POST", "DELETE"])
        expect([other, outcome(await service.send({ method, path: other }))]).toEqual([
          other,
          "404 NOT_FOUND",
        ]);
  });

  test.each(["/auth/me", "/auth/api-keys/list", "/auth/forgot-password"])("HEAD %s", async (path) => {
    await service.store(given);
    const [head, get] = [
      await service.send({ method: "HEAD", path }, "user"),
      await service.send({ method: "GET", path }, "user"),
    ];
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
  });
});

describe("requests that are refused before their route", () => {
  const post = (body: Sent["body"], headers: NonNullable<Scenario["headers"]>, fails: string): Scenario => ({
    given,
    send: "POST /auth/login",
    body,
    headers,
    fails,
  });
  const json = { "content-type": "application/json" };
  scenarios(service, [
    { given, send: "GET /auth/me?x=%zz", as: "user", fails: "400 VALIDATION_ERROR" },
    { given, send: "GET /auth/me?x=%00", as: "user", fails: "400 VALIDATION_ERROR" },
    { given, send: "GET /auth/me?x=%C3", as: "user", fails: "400 VALIDATION_ERROR" },
    { given, send: "GET /auth/api-keys/list?user_id=%00", as: "user", fails: "400 VALIDATION_ERROR" },
    { given, send: "POST /auth/login?x=%zz", body: { email, password }, fails: "400 VALIDATION_ERROR" },
    { given, send: "POST /auth/login?role=admin&email=x", body: { email, password } },
    post("{", json, "400 VALIDATION_ERROR"),
    post("[]", json, "400 VALIDATION_ERROR"),
    post("null", json, "400 VALIDATION_ERROR"),
    post(`email=${email}`, { "content-type": "application/x-www-form-urlencoded" }, "415 HTTP_ERROR"),
    post(JSON.stringify({ email, password }), { "content-type": "text/plain" }, "415 HTTP_ERROR"),
    post({ email, password: "x".repeat(1_048_576) }, {}, "413 HTTP_ERROR"),
  ]);
});

test.each<[string, readonly string[]]>([
  ["register", ["email", "password"]],
  ["login", ["email", "password"]],
  ["change-password", ["current_password", "new_password", "confirm_password"]],
  ["reset-password", ["token", "new_password", "confirm_password"]],
  ["generate-verification-link", ["user_id", "email", "type"]],
  ["verify-otp", ["phone_number", "otp"]],
])("POST /auth/%s without what it needs names all of it", async (route, fields) => {
  const reply = await service.send({ method: "POST", path: `/auth/${route}`, body: {} }, "admin");
  expect(outcome(reply)).toBe(`400 VALIDATION_ERROR ${fields[0]}`);
  const { errors } = reply.envelope.details as { errors: { field: string; message: string }[] };
  expect(errors).toEqual(fields.map((field) => ({ field, message: expect.any(String) })));
});

describe("the internal tables have no routes", () => {
  const tables = [
    ...["users", "auth_tokens", "auth_social", "auth_mfa", "auth_otp", "auth_token_blacklist"],
    "kirak_rate_limits",
  ];
  scenarios(
    service,
    tables.flatMap((table) => [
      { send: `GET /${table}/fetch`, as: "superadmin", fails: "404 NOT_FOUND" },
      { send: `GET /${table}/count`, as: "superadmin", fails: "404 NOT_FOUND" },
      { send: `POST /${table}/create`, as: "superadmin", body: {}, fails: "404 NOT_FOUND" },
    ]),
  );
});
