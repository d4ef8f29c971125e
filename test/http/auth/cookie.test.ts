import type { OutgoingHttpHeaders } from "node:http";
import { beforeEach, describe, expect, test } from "vitest";
import { createServer } from "#runtime/index";
import { accountRoutes } from "#runtime/modules/auth/index";
import type { Json } from "#vocabulary/json";
import { account, accounts, password, session, storedReset } from "../../support/accounts.ts";
import { resetToken, signing } from "../../support/links.ts";
import { type Reply, requestOf } from "../../support/request.ts";
import { outcome, scenarios } from "../../support/scenarios.ts";
import { type TestService, testService } from "../../support/service.ts";
import { claimsOf, signed, tokenOf } from "../../support/service-token.ts";
import { silent } from "../../support/silent-log.ts";
import { testSms } from "../../support/sms.ts";
import { socialSettings } from "../../support/social/sign-in.ts";
import { leastStorageSettings } from "../../support/storage.ts";
import { routes as customRoutes } from "../custom-routes/routes.ts";
import { service as fixture } from "../fixture/generated/index.ts";

const sms = await testSms();
const auth = { cookieName: "session", accessTokenSeconds: 300 };
const settings = { ...signing, sms: sms.settings };
const apple = { "apple-id": { settings: { team_id: "TEAM", key_id: "KEY" } } };
const service = await testService({
  ...settings,
  auth: { ...auth, cookieDomain: "example.com" },
  social: socialSettings(apple),
});
const hostOnly = await testService({ ...settings, auth });
const without = await testService(settings);

const mine = session(1);
const link = resetToken(1);
const phone = "+12025550123";
const given = accounts([account(1, { phone_number: phone })], [mine.row, storedReset(1, link)]);
const email = "user1@example.com";
const confirmed = { new_password: "Another-Horse-2?", confirm_password: "Another-Horse-2?" };
const admin = { authorization: `Bearer ${signed(claimsOf({ role: "admin", sub: "1" }))}` };

type Body = Record<string, Json>;

/** A request that each route answers with success, as far as one request can; the others are refused. */
const bodies: Readonly<Record<string, Body>> = {
  "/register": { email: "new@example.com", password },
  "/login": { email, password },
  "/refresh-token": { refreshToken: mine.token },
  "/logout": { token: mine.token },
  "/change-password": { current_password: password, ...confirmed },
  "/request-verification": { email },
  "/request-reset-password": { email },
  "/reset-password": { token: link, ...confirmed },
  "/generate-verification-link": { user_id: 1, email, type: "password_reset" },
  "/request-otp": { phone_number: phone },
  "/verify-mfa": { code: "1" },
  "/disable-mfa": { code: "1" },
  "/api-keys/revoke": { id: 1 },
  "/me": { first_name: "Ann" },
  "/change-email": { new_email: "new@example.com" },
  "/change-email/confirm": { token: "x" },
  "/set-password": confirmed,
  "/change-phone": { phone_number: phone },
  "/change-phone/confirm": { code: "000000" },
  "/accept-invitation": { token: "x", ...confirmed },
  "/request-email-code": { email: "user1@example.com" },
  "/verify-email-code": { email: "user1@example.com", code: "000000" },
  "/passkeys/register": { response: {} },
  "/passkeys/login": { response: {} },
  "/passkeys/{id}": { name: "x" },
};
/** No sign-in has begun; the tests of social sign-in cover its cookies. */
// biome-ignore format: many a line
const social = [
  "/{provider}/login", "/{provider}/callback", "/apple/callback", "/{provider}/mobile", "/verify-web-auth",
];
const refused = [
  "/verify-mfa",
  "/disable-mfa",
  "/api-keys/revoke",
  "/verify-email",
  "/sessions/{id}",
  "/change-email/confirm",
  "/set-password",
  "/password",
  "/change-phone",
  "/change-phone/confirm",
  "/phone",
  "/export",
  // There is no mail provider.
  "/request-email-code",
  "/verify-email-code",
  "/passkeys/register-options",
  "/passkeys/register",
  "/passkeys/login",
  "/passkeys/{id}",
  "/providers/{provider}/link",
  "/providers/{provider}",
  ...social,
];
/** The page is shown, and no sign-in is recent. */
const isRefused = (method: string, path: string) =>
  refused.includes(path) ||
  (["/change-email", "/accept-invitation"].includes(path) && method !== "GET") ||
  (path === "/me" && method === "DELETE");
const setting = ["/login", "/refresh-token", "/verify-otp"];

async function bodyOf(path: string, to: TestService): Promise<Body> {
  if (path !== "/verify-otp") return bodies[path] ?? {};
  await to.send({ method: "POST", path: "/auth/request-otp", body: { phone_number: phone } });
  return { phone_number: phone, otp: sms.codeOf(phone) };
}

async function ask(method: string, path: string, to = service): Promise<Reply> {
  await to.store(given);
  const body = method === "GET" ? {} : { body: await bodyOf(path, to) };
  return to.send({ method, path: `/auth${path.replace("{provider}", "apple-id")}`, headers: admin, ...body });
}

const cookies = ({ headers }: Reply) => headers["set-cookie"] ?? [];
const issuedIn = ({ envelope }: Reply) => (envelope.data as { accessToken: string }).accessToken;

describe("with auth.cookie_name", () => {
  test.each(accountRoutes.map(({ method, path }) => [method, path] as const))(
    "%s %s",
    async (method, path) => {
      const reply = await ask(method, path);
      expect(reply.status === 200, reply.text).toBe(!isRefused(method, path));
      expect(reply.headers["cache-control"]).toBe("no-store");
      if (setting.includes(path)) {
        const [cookie, ...more] = cookies(reply);
        expect(more).toEqual([]);
        const attributes = (cookie ?? "").split("; ").filter((part) => !part.startsWith("Expires="));
        // biome-ignore format: many a line
        expect(attributes.sort()).toEqual(
          [
            `session=${issuedIn(reply)}`, "Max-Age=300", "Domain=example.com", "Path=/", "HttpOnly", "Secure", "SameSite=Lax",
          ].sort(),
        );
      } else if (path === "/logout") {
        // Browsers delete a cookie only where name, domain and path are those of the one they hold.
        expect(cookies(reply)).toEqual([
          "session=; Domain=example.com; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax",
        ]);
      } else if (path.endsWith("/callback")) {
        for (const cookie of cookies(reply)) expect(cookie).toMatch(/^kirak_oauth=;/);
      } else {
        expect(cookies(reply)).toEqual([]);
      }
    },
  );

  test.each<[string, Body]>([
    ["/login", { email, password: "Wrong-Horse-1!!" }],
    ["/refresh-token", { refreshToken: "x.y.z" }],
    ["/refresh-token", { refreshToken: session(1).token }],
    ["/verify-otp", { phone_number: phone, otp: "000000" }],
    ["/logout", { token: "x.y.z" }],
  ])("a failure touches no cookie: %s %j", async (path, body) => {
    await service.store(given);
    const reply = await service.send({ method: "POST", path: `/auth${path}`, body, headers: admin });
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(cookies(reply)).toEqual([]);
  });

  test("the cookie is enough on session routes and model routes, until the logout", async () => {
    const cookie = (cookies(await ask("POST", "/login"))[0] ?? "").split(";")[0] ?? "";
    const send = async (method: string, path: string, body?: Body) =>
      (await service.send({ method, path, headers: { cookie }, ...(body !== undefined && { body }) })).status;
    expect(await send("GET", "/auth/me")).toBe(200);
    expect(await send("GET", "/tasks/fetch")).toBe(200);
    expect(await send("POST", "/auth/logout", { token: mine.token })).toBe(200);
    expect(await send("GET", "/auth/me")).toBe(401);
  });
});

test("without auth.cookie_domain the cookie is of the host that answered", async () => {
  for (const path of ["/login", "/logout"])
    expect(cookies(await ask("POST", path, hostOnly)).join()).toMatch(/^session=(?!.*Domain)/);
});

describe("without auth.cookie_name", () => {
  beforeEach(() => without.store(given));

  test.each([...setting, "/logout"])("POST %s sends no cookie", async (path) => {
    const reply = await ask("POST", path, without);
    expect([reply.status, cookies(reply)]).toEqual([200, []]);
  });

  test("none is read", async () => {
    const headers = { cookie: `session=${signed(claimsOf("user"))}` };
    expect((await without.send({ method: "GET", path: "/auth/me", headers })).envelope.error).toBe(
      "MISSING_TOKEN",
    );
  });
});

const served = { ...fixture, routes: customRoutes };
const shopSettings = {
  baseUrl: "https://api.example.com/shop",
  auth: { cookieName: "session" },
  storage: leastStorageSettings,
};
const origins = ["https://app.example.com"];
const shop = await testService(
  { ...shopSettings, cors: { origins, allowOriginRegex: "https://[a-z]+\\.pages\\.example" } },
  { served },
);
const withoutCors = await testService({ ...shopSettings, cors: null }, { served });
const withWildcard = await testService(
  { ...shopSettings, cors: { origins: ["*"], allowOriginRegex: null } },
  { served },
);

const cookie = `session=${tokenOf("admin")}`;
const denied = "403 PERMISSION_DENIED";
/** What a page can send without a preflight, and what each route says to it when the cookie counts. */
const form = { headers: { "content-type": "text/plain" }, body: "x" };
const writes: readonly (readonly [send: string, accepted: string])[] = [
  ["POST /things/create", "415 HTTP_ERROR"],
  ["PUT /things/update", "415 HTTP_ERROR"],
  ["DELETE /things/delete", "415 HTTP_ERROR"],
  ["POST /graphql", "415 HTTP_ERROR"],
  ["POST /storage/upload/file", "415 HTTP_ERROR"],
  ["DELETE /storage/delete?path=a.txt", "404 NOT_FOUND"],
  ["POST /auth/setup-mfa", "415 HTTP_ERROR"],
  ["POST /auth/api-keys/create", "415 HTTP_ERROR"],
  ["POST /auth/logout", "415 HTTP_ERROR"],
  ["DELETE /admin/rate-limits/none", "404 NOT_FOUND"],
  ["POST /things/1/ring", "415 HTTP_ERROR"],
  ["DELETE /only-delete", "415 HTTP_ERROR"],
];

async function told(send: string, headers: OutgoingHttpHeaders, to = shop): Promise<string> {
  return outcome(await to.send({ ...requestOf(send), ...form, headers: { ...form.headers, ...headers } }));
}

describe("a write by the cookie", () => {
  const page = "https://app.example.com";
  // biome-ignore format: one case a line
  test.each<[string, OutgoingHttpHeaders, boolean]>([
    ["of a program", {}, true],
    ["of a page of the service", { "sec-fetch-site": "same-origin" }, true],
    ["of a page of the service, with its origin", { "sec-fetch-site": "same-origin", origin: "https://x.example" }, true],
    ["of the address bar", { "sec-fetch-site": "none" }, true],
    ["of base_url", { origin: "https://api.example.com" }, true],
    ["of base_url, as another site", { origin: "https://api.example.com", "sec-fetch-site": "cross-site" }, true],
    ["of an origin of cors", { origin: page, "sec-fetch-site": "cross-site" }, true],
    ["of an origin that the expression of cors allows", { origin: "https://blue.pages.example" }, true],
    ["of another site", { "sec-fetch-site": "cross-site" }, false],
    ["of another subdomain", { "sec-fetch-site": "same-site" }, false],
    ["of a value that no browser sends", { "sec-fetch-site": "same-origin, none" }, false],
    ["of another origin", { origin: "https://x.example" }, false],
    ["of another port", { origin: "https://api.example.com:8443" }, false],
    ["of the other scheme", { origin: "http://api.example.com" }, false],
    ["of a longer host", { origin: "https://api.example.com.x.example" }, false],
    ["of a sandboxed page", { origin: "null" }, false],
    ["of no origin", { origin: "" }, false],
    ["of two origins", { origin: `${page}, ${page}` }, false],
  ])("%s", async (_, headers, isAccepted) => {
    for (const [send, accepted] of writes)
      expect([send, await told(send, { cookie, ...headers })]).toEqual([send, isAccepted ? accepted : denied]);
  });

  test("cors with a wildcard, or without origins, allows none", async () => {
    for (const to of [withoutCors, withWildcard]) {
      expect(await told("POST /graphql", { cookie, origin: page }, to)).toBe(denied);
      expect(await told("POST /graphql", { cookie, origin: "https://api.example.com" }, to)).toBe(
        "415 HTTP_ERROR",
      );
    }
  });
});

const foreign = { origin: "https://x.example", "sec-fetch-site": "cross-site" };
const oneUser = accounts([account(1)], [mine.row]);

describe("a foreign page", () => {
  const bearer = { authorization: `Bearer ${tokenOf("admin")}` };
  const ring = "POST /things/1/ring";
  const login = { email: "user1@example.com", password };
  const logout = { given: oneUser, send: "POST /auth/logout", body: { token: mine.token } };
  // biome-ignore format: one case a line
  scenarios(shop, [
    { name: "reads", send: "GET /docs/count", headers: { ...foreign, cookie }, data: { count: 0 } },
    { name: "writes with a token", send: ring, headers: { ...foreign, ...bearer, cookie }, data: null },
    { name: "writes as a guest", send: ring, headers: { ...foreign, cookie: "other=1" }, data: null },
    { name: "has a wrong API key", send: ring, headers: { ...foreign, "x-api-key": "x", cookie }, fails: "401 INVALID_API_KEY" },
    { name: "has a broken cookie", send: ring, headers: { ...foreign, cookie: "session=x" }, fails: denied },
    { name: "signs in", given: oneUser, send: "POST /auth/login", headers: { ...foreign, cookie }, body: login },
    { name: "refreshes", given: oneUser, send: "POST /auth/refresh-token", headers: { ...foreign, cookie }, body: { refreshToken: mine.token } },
    { name: "signs out without the cookie", ...logout, headers: foreign, rows: { auth_tokens: [] } },
    { name: "signs out with a cookie", ...logout, headers: { ...foreign, cookie: "session=x" }, fails: denied, rows: { auth_tokens: [{}] } },
  ]);
});

test("server.principalOf reads the method", async () => {
  const server = createServer(fixture, { config: shop.config, database: shop.pool, log: silent });
  const headers = { ...foreign, cookie };
  expect(await server.principalOf({ headers, method: "GET" })).toMatchObject({ role: "admin" });
  for (const request of [{ headers, method: "POST" }, { headers }])
    await expect(server.principalOf(request)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
});

test("custom routes and server.principalOf refuse a token that was revoked", async () => {
  const server = createServer(fixture, { config: shop.config, database: shop.pool, log: silent });
  const claims = claimsOf("admin");
  const headers = { authorization: `Bearer ${signed(claims)}` };
  const ring = async () => outcome(await shop.send({ method: "POST", path: "/things/1/ring", headers }));
  expect(await server.principalOf({ headers, method: "GET" })).toMatchObject({ role: "admin" });
  expect(await ring()).toBe("200");
  await shop.store({ auth_token_blacklist: [{ jti: claims["jti"], expires_at: "2999-01-01" }] });
  expect(await ring()).toBe("401 TOKEN_REVOKED");
  await expect(server.principalOf({ headers, method: "GET" })).rejects.toMatchObject({
    code: "TOKEN_REVOKED",
  });
});

describe("several cookies of the name", () => {
  const twice = (one: string, other: string) => ({ cookie: `session=${one}; a=b; session=${other}` });
  const token = tokenOf("admin");
  const bearer = { authorization: `Bearer ${token}` };
  const logout = { given: oneUser, send: "POST /auth/logout", body: { token: mine.token } };
  const fails = "401 INVALID_TOKEN";
  // biome-ignore format: one case a line
  scenarios(shop, [
    { name: "the same twice", send: "GET /docs/count", headers: twice(token, token), fails },
    { name: "a good one first", send: "GET /docs/count", headers: twice(token, "x"), fails },
    { name: "a good one last", send: "GET /docs/count", headers: twice("x", token), fails },
    { name: "an empty one", send: "GET /auth/me", headers: twice(token, ""), fails },
    { name: "a token in the header counts", send: "GET /docs/count", headers: { ...twice(token, "x"), ...bearer }, data: { count: 0 } },
    { name: "the session ends", ...logout, headers: twice(token, "x"), rows: { auth_tokens: [] } },
  ]);
});

describe("an empty body of another type is 415", () => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const paths = ["/auth/setup-mfa", "/auth/api-keys/create", "/things/create", "/graphql", "/things/1/ring"];
  const setup = { given: oneUser, send: "POST /auth/setup-mfa", as: "user", data: expect.anything() };
  scenarios(shop, [
    ...paths.map((path) => ({ send: `POST ${path}`, as: "admin", headers, fails: "415 HTTP_ERROR" })),
    { name: "JSON", ...setup, headers: { "content-type": "application/json" } },
    { name: "no type", ...setup },
  ]);
});
