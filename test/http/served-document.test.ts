import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { defineRoute } from "#runtime/index";
import type { OpenApiDocument } from "#vocabulary/openapi/document";
import { roleDocument } from "#vocabulary/openapi/role-document";
import { account, accounts, apiKey } from "../support/accounts.ts";
import { monitoredService } from "../support/monitoring.ts";
import { expectEnvelope, outcome } from "../support/scenarios.ts";
import { type Settings, type TestService, testService } from "../support/service.ts";
import { signed, tokenOf } from "../support/service-token.ts";
import { service as fixture } from "./fixture/generated/index.ts";

const file = new URL("./fixture/generated/openapi.json", import.meta.url);
const whole: OpenApiDocument = JSON.parse(readFileSync(file, "utf8"));

/** Paths that the prefix of the service does not move. */
const fixed = /^\/(auth|admin|storage|monitoring|healthz|readyz)(\/|$)/;
const prefixed = {
  ...whole,
  paths: Object.fromEntries(
    Object.entries(whole.paths).map(([path, item]) => [fixed.test(path) ? path : `/v1${path}`, item]),
  ),
};

const docs = (settings: Partial<TestService["config"]["docs"]> = {}): Settings => ({
  docs: { enabled: true, scope: "all", path: "/reference", ...settings },
});
const service = await monitoredService(
  {},
  { ...docs(), servicePrefix: "/v1", rateLimit: { enabled: true, defaultMaxRequests: 1 } },
);
const forCallers = await testService({
  ...docs({ scope: "caller" }),
  auth: { cookieName: "session" },
  cors: { origins: ["https://shop.example"], allowOriginRegex: null },
});

const get = ({ send }: TestService, path: string, headers = {}) => send({ method: "GET", path, headers });
const pages = ["/openapi.json", "/reference", "/reference/graphql"];
// biome-ignore format: a list
const files = [
  "/reference/swagger-ui.css", "/reference/swagger-ui-bundle.js", "/reference/reference.js",
  "/reference/schema.graphql", "/reference/start-graphiql.js", "/reference/graphiql.css", "/reference/graphiql.js",
  "/reference/react.js", "/reference/react-dom.js",
];

describe("the document for everyone", () => {
  test("is the generated one, and caches revalidate it", async () => {
    const { status, headers, text } = await get(service, "/openapi.json");
    expect([status, JSON.parse(text)]).toEqual([200, prefixed]);
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(text)),
      "cache-control": "no-cache",
      etag: expect.stringMatching(/^"[\w-]{43}"$/),
      "x-content-type-options": "nosniff",
    });
    expect(headers).not.toHaveProperty("vary");
    const kept = await get(service, "/openapi.json", { "if-none-match": headers.etag });
    expect([kept.status, kept.text, kept.headers.etag]).toEqual([304, "", headers.etag]);
    expect((await get(service, "/openapi.json", { "if-none-match": '"other"' })).status).toBe(200);
    const head = await service.send({ method: "HEAD", path: "/openapi.json" });
    expect([head.status, head.text, head.headers.etag]).toEqual([200, "", headers.etag]);
  });

  test("needs no credential, and reads none", async () => {
    const { status, headers } = await get(service, "/openapi.json", { authorization: "Bearer wrong" });
    expect([status, headers["cache-control"]]).toEqual([200, "no-cache"]);
  });

  test("has the paths of the running service", async () => {
    const moved = await testService({ ...docs(), servicePrefix: "/api", authPrefix: "/accounts" });
    const { paths } = JSON.parse((await get(moved, "/openapi.json")).text);
    expect(Object.keys(paths)).toHaveLength(Object.keys(whole.paths).length);
    for (const path of ["/api/things/fetch", "/api/graphql", "/accounts/login", "/healthz"])
      expect(paths).toHaveProperty([path]);
    const reply = await moved.send({ method: "POST", path: "/accounts/login" });
    expect(reply.status).not.toBe(404);
  });

  test("below a mount path, its server is that path", async () => {
    const mounted = await testService(docs(), { mountedAt: "/shop/now" });
    const { text } = await get(mounted, "/shop/now/openapi.json");
    expect(JSON.parse(text)).toEqual({ ...whole, servers: [{ url: "/shop/now" }] });
    expect((await get(mounted, "/openapi.json")).status).toBe(404);
    const several = await testService(docs(), { mountedAt: "/:shop" });
    for (const url of ["/a", "/b", "/a"])
      expect(JSON.parse((await get(several, `${url}/openapi.json`)).text).servers).toEqual([{ url }]);
  });
});

describe("the document of a caller", () => {
  const headers = {
    "cache-control": "private, no-cache",
    vary: "Origin, Authorization, X-API-Key, Cookie",
  };

  test.each([
    ["a guest", null, "guest"],
    ["a user", "user", "user"],
    ["a role that rules name", "staff", "staff"],
    ["a role that only one rule names", "writer", "writer"],
    ["a role that nothing names", "juggler", "signed_in"],
  ])("of %s", async (_, caller, role) => {
    const reply = await forCallers.send({ method: "GET", path: "/openapi.json" }, caller);
    expect([reply.status, JSON.parse(reply.text)]).toEqual([200, roleDocument(whole, role)]);
    expect(reply.headers).toMatchObject(headers);
    const kept = await get(forCallers, "/openapi.json", {
      "if-none-match": reply.headers.etag,
      ...(caller !== null && { authorization: `Bearer ${tokenOf(caller)}` }),
    });
    expect([kept.status, kept.headers.etag]).toEqual([304, reply.headers.etag]);
    expect(kept.headers).toMatchObject(headers);
  });

  test("comes with an API key and with the cookie too", async () => {
    const key = apiKey(1);
    await forCallers.store(accounts([account(1, { role: "staff" })], [key.row]));
    const ofStaff = roleDocument(whole, "staff");
    for (const credential of [{ "x-api-key": key.key }, { cookie: `session=${tokenOf("staff")}` }])
      expect(JSON.parse((await get(forCallers, "/openapi.json", credential)).text)).toEqual(ofStaff);
  });

  test.each([
    ["a malformed token", { authorization: "Bearer x" }, "401 INVALID_TOKEN"],
    ["another scheme", { authorization: "Basic eDp5" }, "401 INVALID_TOKEN"],
    [
      "an expired token",
      { authorization: `Bearer ${signed({ sub: "1", role: "user", type: "access", jti: "1", exp: 1 })}` },
      "401 TOKEN_EXPIRED",
    ],
    ["an unknown API key", { "x-api-key": "kk_unknown" }, "401 INVALID_API_KEY"],
  ])("is refused to %s", async (_, credential, expected) => {
    const reply = await get(forCallers, "/openapi.json", credential);
    expectEnvelope(reply);
    expect([outcome(reply), reply.headers.vary]).toEqual([expected, headers.vary]);
  });

  test("names no other role, no condition and no gate", async () => {
    const { text } = await get(forCallers, "/openapi.json");
    expect(text).not.toMatch(/x-kirak-(?!limit)|salary/);
  });
});

const policy = (style: string) =>
  `default-src 'none'; script-src 'self'; ${style}; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
const policies = {
  reference: policy("style-src 'self'"),
  graphiql: policy("style-src 'self' 'unsafe-inline'; font-src 'self' data:"),
};
const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  graphql: "text/plain; charset=utf-8",
};

describe("the pages", () => {
  test.each([...pages.slice(1), ...files])(
    "%s has the exact policy and is kept by browsers",
    async (path) => {
      const { status, headers, text } = await get(service, path);
      const ofReference = path === "/reference" || files.slice(0, 3).includes(path);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        "content-type": types[path.split(".")[1] ?? ""] ?? "text/html; charset=utf-8",
        "content-length": String(Buffer.byteLength(text)),
        "content-security-policy": ofReference ? policies.reference : policies.graphiql,
        "cache-control": "no-cache",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=()",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "x-robots-tag": "noindex",
      });
      const kept = await get(service, path, { "if-none-match": headers.etag });
      expect([kept.status, kept.text]).toEqual([304, ""]);
    },
  );

  test.each([
    ["/reference", "scenarios: API reference"],
    ["/reference/graphql", "scenarios: GraphiQL"],
  ])("%s has a title and a language, and names its files by relative paths", async (path, title) => {
    const { text } = await get(service, path);
    expect(text).toContain('<html lang="en">');
    expect(text).toContain(`<title>${title}</title>`);
    expect(text).not.toMatch(/<style|<script(?![^>]*src=)|\son\w+=|\sstyle=|https?:/);
    for (const [, to = ""] of text.matchAll(/(?:src|href|data-document)="([^"]+)"/g)) {
      if (to === "data:,") continue;
      expect(to).not.toMatch(/^\//);
      expect((await get(service, new URL(to, `http://x${path}`).pathname)).status).toBe(200);
    }
  });

  test("deep paths and prefixes lead to the document and the endpoint", async () => {
    const deep = await testService({ ...docs({ path: "/a/b/c" }), servicePrefix: "/api/v1" });
    expect((await get(deep, "/a/b/c")).text).toContain('data-document="../../openapi.json" data-scope="all"');
    expect((await get(deep, "/a/b/c/graphql")).text).toContain('data-endpoint="../../../api/v1/graphql"');
  });

  test("the schema is the committed one", async () => {
    const committed = new URL("./fixture/generated/graphql/schema.graphql", import.meta.url);
    expect((await get(service, "/reference/schema.graphql")).text).toBe(readFileSync(committed, "utf8"));
  });
});

test("other methods than GET and HEAD are refused", async () => {
  for (const path of [...pages, ...files])
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      const reply = await service.send({ method, path });
      expect([outcome(reply), reply.headers.allow]).toEqual(["405 HTTP_ERROR", "GET, HEAD"]);
    }
});

test("no request for them is limited or recorded", async () => {
  for (const path of [...pages, ...files]) {
    const { status, headers } = await get(service, path);
    expect([status, headers["x-ratelimit-limit"]]).toEqual([200, undefined]);
  }
  await get(service, "/v1/things/count");
  await service.written(1);
});

describe("paths that are not there", () => {
  const missing = async (at: TestService, paths: readonly string[]) => {
    const replies = await Promise.all(paths.map((path) => get(at, path)));
    expect(replies.map(outcome)).toEqual(paths.map(() => "404 NOT_FOUND"));
  };

  test("all of them where the manifest turns them off", async () => {
    await missing(await testService(docs({ enabled: false })), [...pages, ...files]);
  });

  test("all of them where the code is older than this", async () => {
    await missing(await testService(docs(), { served: { ...fixture, folder: null } }), [...pages, ...files]);
  });

  test("GraphiQL and its files in production", async () => {
    const production = await testService({ ...docs(), production: true });
    await missing(production, ["/reference/graphql", ...files.slice(3)]);
    for (const path of ["/openapi.json", "/reference", ...files.slice(0, 3)])
      expect((await get(production, path)).status).toBe(200);
  });

  test("below the prefix of the models, and spelt otherwise", async () => {
    // biome-ignore format: a list
    await missing(service, [
      "/v1/openapi.json", "/v1/reference", "/docs", "/reference/", "/reference/index.html", "/Reference", "/reference/%67raphql",
      "/reference/../openapi.json", "/reference/package.json", "/reference/swagger-ui-bundle.js.map", "/reference/LICENSES.txt",
    ]);
  });
});

describe("paths of the app", () => {
  const route = (path: `/${string}`) =>
    defineRoute({
      method: "GET",
      path,
      access: ["*"],
      answer: { type: "string" },
      handler: () => "of the app",
    });
  const withRoutes = (settings: Settings, ...paths: readonly `/${string}`[]) =>
    testService(settings, { served: { ...fixture, routes: paths.map(route) } });
  const ofDefault = ["/docs", "/docs/swagger-ui-bundle.js", "/docs/graphql", "/docs/schema.graphql"];
  const outcomes = async (at: TestService, paths: readonly string[]) =>
    (await Promise.all(paths.map((path) => get(at, path)))).map(({ status, text }) =>
      text.includes("of the app") ? "the app's" : status,
    );

  test("a model at the default path of the page keeps it", async () => {
    const own = await testService(docs({ path: "/docs" }));
    expect(await outcomes(own, [...ofDefault, "/openapi.json"])).toEqual([404, 404, 404, 404, 200]);
    // Below a prefix the model is elsewhere.
    const prefixed = await testService({ ...docs({ path: "/docs" }), servicePrefix: "/v1" });
    expect(await outcomes(prefixed, ofDefault)).toEqual([200, 200, 200, 200]);
  });

  test("so does a route, also below it, and one at the path of the document", async () => {
    const own = await withRoutes(docs({ path: "/docs" }), "/openapi.json");
    // The page would send credentials to the app's route. GraphiQL does not need the document.
    expect(await outcomes(own, ["/openapi.json", "/docs", "/docs/graphql"])).toEqual(["the app's", 404, 404]);
    const elsewhere = await withRoutes(docs(), "/openapi.json");
    expect(await outcomes(elsewhere, ["/reference", "/reference/graphql"])).toEqual([404, 200]);
    const at = { ...fixture, models: fixture.models.filter(({ model }) => model.slug !== "docs") };
    const below = await testService(docs({ path: "/docs" }), {
      served: { ...at, routes: [route("/docs/:id")] },
    });
    expect(await outcomes(below, ["/docs", "/docs/graphql", "/openapi.json"])).toEqual([
      404,
      "the app's",
      200,
    ]);
  });

  test("a chosen path has its page, also where a route of the app would match its files", async () => {
    const chosen = await withRoutes(docs(), "/reference/:id");
    expect(await outcomes(chosen, ["/reference", "/reference/swagger-ui.css", "/reference/7"])).toEqual([
      200,
      200,
      "the app's",
    ]);
  });
});
