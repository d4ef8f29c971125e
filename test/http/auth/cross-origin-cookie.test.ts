import type { OutgoingHttpHeaders } from "node:http";
import { describe, expect, test } from "vitest";
import { createServer } from "#runtime/index";
import { account, accounts, password, session } from "../../support/accounts.ts";
import { outcome, scenarios } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { tokenOf } from "../../support/service-token.ts";
import { silent } from "../../support/silent-log.ts";
import { leastStorageSettings } from "../../support/storage-settings.ts";
import { service as fixture } from "../fixture/generated/index.ts";
import { routes as customRoutes } from "../own-routes/routes.ts";

const served = { ...fixture, routes: customRoutes };
const settings = {
  baseUrl: "https://api.example.com/shop",
  auth: { cookieName: "session" },
  storage: leastStorageSettings,
};
const origins = ["https://app.example.com"];
const service = await testService(
  { ...settings, cors: { origins, allowOriginRegex: "https://[a-z]+\\.pages\\.example" } },
  { served },
);
const withoutCors = await testService({ ...settings, cors: null }, { served });
const withWildcard = await testService(
  { ...settings, cors: { origins: ["*"], allowOriginRegex: null } },
  { served },
);

const cookie = `session=${tokenOf("admin")}`;
const refused = "403 PERMISSION_DENIED";
/** What a page can send without a preflight, and what each route says to it when the cookie counts. */
const form = { headers: { "content-type": "text/plain" }, body: "x" };
const routes: readonly (readonly [send: string, accepted: string])[] = [
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

async function ask(send: string, headers: OutgoingHttpHeaders, to = service): Promise<string> {
  const [method = "", path = ""] = send.split(" ");
  return outcome(await to.send({ method, path, ...form, headers: { ...form.headers, ...headers } }));
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
    for (const [send, accepted] of routes)
      expect([send, await ask(send, { cookie, ...headers })]).toEqual([send, isAccepted ? accepted : refused]);
  });

  test("cors with a wildcard, or without origins, allows none", async () => {
    for (const to of [withoutCors, withWildcard]) {
      expect(await ask("POST /graphql", { cookie, origin: page }, to)).toBe(refused);
      expect(await ask("POST /graphql", { cookie, origin: "https://api.example.com" }, to)).toBe(
        "415 HTTP_ERROR",
      );
    }
  });
});

const foreign = { origin: "https://x.example", "sec-fetch-site": "cross-site" };
const mine = session(1);
const given = accounts([account(1)], [mine.row]);

describe("a foreign page", () => {
  const bearer = { authorization: `Bearer ${tokenOf("admin")}` };
  const ring = "POST /things/1/ring";
  const login = { email: "user1@example.com", password };
  const logout = { given, send: "POST /auth/logout", body: { token: mine.token } };
  // biome-ignore format: one case a line
  scenarios(service, [
    { name: "reads", send: "GET /docs/count", headers: { ...foreign, cookie }, data: { count: 0 } },
    { name: "writes with a token", send: ring, headers: { ...foreign, ...bearer, cookie }, data: null },
    { name: "writes as a guest", send: ring, headers: { ...foreign, cookie: "other=1" }, data: null },
    { name: "has a wrong API key", send: ring, headers: { ...foreign, "x-api-key": "x", cookie }, fails: "401 INVALID_API_KEY" },
    { name: "has a broken cookie", send: ring, headers: { ...foreign, cookie: "session=x" }, fails: refused },
    { name: "signs in", given, send: "POST /auth/login", headers: { ...foreign, cookie }, body: login },
    { name: "refreshes", given, send: "POST /auth/refresh-token", headers: { ...foreign, cookie }, body: { refreshToken: mine.token } },
    { name: "signs out without the cookie", ...logout, headers: foreign, rows: { auth_tokens: [] } },
    { name: "signs out with a cookie", ...logout, headers: { ...foreign, cookie: "session=x" }, fails: refused, rows: { auth_tokens: [{}] } },
  ]);
});

test("server.principalOf reads the method", async () => {
  const server = createServer(fixture, { config: service.config, database: service.pool, log: silent });
  const headers = { ...foreign, cookie };
  expect(await server.principalOf({ headers, method: "GET" })).toMatchObject({ role: "admin" });
  for (const request of [{ headers, method: "POST" }, { headers }])
    await expect(server.principalOf(request)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
});

describe("several cookies of the name", () => {
  const twice = (one: string, other: string) => ({ cookie: `session=${one}; a=b; session=${other}` });
  const token = tokenOf("admin");
  const bearer = { authorization: `Bearer ${token}` };
  const logout = { given, send: "POST /auth/logout", body: { token: mine.token } };
  const fails = "401 INVALID_TOKEN";
  // biome-ignore format: one case a line
  scenarios(service, [
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
  const setup = { given, send: "POST /auth/setup-mfa", as: "user", data: expect.anything() };
  scenarios(service, [
    ...paths.map((path) => ({ send: `POST ${path}`, as: "admin", headers, fails: "415 HTTP_ERROR" })),
    { name: "JSON", ...setup, headers: { "content-type": "application/json" } },
    { name: "no type", ...setup },
  ]);
});
