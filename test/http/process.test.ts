import { describe, expect, test } from "vitest";
import { expectEnvelope, outcome } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

const service = await testService({ servicePrefix: "/api/v1" });
const open = await testService({ cors: { origins: ["*"], allowOriginRegex: null } });
const listed = await testService({
  cors: { origins: ["https://app.example.org"], allowOriginRegex: "https://[a-z]+\\.example\\.com" },
});
/** Its connections are closed, as if the database were gone. */
const cut = await testService();
await cut.pool.close();

const get = (path: string, headers: Record<string, string | string[]> = {}) =>
  service.send({ method: "GET", path, headers });
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("request ids", () => {
  test.each(["a", "A-Za-z0-9_.:-", "x".repeat(128)])("%s is kept", async (id) => {
    for (const path of ["/api/v1/things/fetch", "/nothing", "/healthz"]) {
      expect((await get(path, { "x-request-id": id })).headers["x-request-id"]).toBe(id);
    }
  });

  test.each(["", "x".repeat(129), "a b", "a/b", "ä", "<script>", "a,b"])("%j is replaced", async (id) => {
    expect((await get("/healthz", { "x-request-id": id })).headers["x-request-id"]).toMatch(uuid);
  });

  test("without one each answer has a new UUID", async () => {
    const ids = await Promise.all([get("/healthz"), get("/nothing"), get("/api/v1/things/fetch?limit=0")]);
    const seen = ids.map(({ headers }) => headers["x-request-id"]);
    for (const id of seen) expect(id).toMatch(uuid);
    expect(new Set(seen).size).toBe(3);
  });

  test("the log has one line a request, with the id, without the query string", async () => {
    const id = "line-of-one-request";
    await get("/api/v1/things/fetch?string=secret-value&nothing=1", { "x-request-id": id });
    await get("/healthz");
    const lines = service.log.filter((line) => line["request_id"] === id);
    expect(lines).toMatchObject([{ method: "GET", path: "/api/v1/things/fetch", status: 400 }]);
    expect(JSON.stringify(lines)).not.toContain("secret-value");
  });
});

describe("service_prefix", () => {
  test.each([
    ["/api/v1/things/fetch", "200"],
    ["/things/fetch", "404 NOT_FOUND"],
    ["/api/things/fetch", "404 NOT_FOUND"],
    ["/api/v1", "404 NOT_FOUND"],
    ["/api/v1/", "404 NOT_FOUND"],
    ["/api/v1/healthz", "404 NOT_FOUND"],
    ["/API/v1/things/fetch", "404 NOT_FOUND"],
    ["/api/v1things/fetch", "404 NOT_FOUND"],
    ["/api/v1//things/fetch", "404 NOT_FOUND"],
    ["/api/v1/the-ledger/fetch", "404 NOT_FOUND"],
    ["/api/v1/%zz/fetch", "400 VALIDATION_ERROR"],
    ["/other/%zz/fetch", "400 VALIDATION_ERROR"],
    ["/other/%00", "400 VALIDATION_ERROR"],
    ["/other?a=%zz", "400 VALIDATION_ERROR"],
    ["/other/%20?a=%20", "404 NOT_FOUND"],
    ["/healthz", "200"],
    ["/readyz", "200"],
  ])("%s answers %s", async (path, expected) => {
    const reply = await get(path);
    expectEnvelope(reply);
    expect(outcome(reply)).toBe(expected);
  });
});

describe("health", () => {
  test("answers without looking at a credential", async () => {
    const replies = await Promise.all(
      ["/healthz", "/readyz"].map((path) => get(path, { authorization: "Bearer x" })),
    );
    expect(replies.map(outcome)).toEqual(["200", "200"]);
  });

  test("a process that stops is up and not ready, which is nothing for the log", async () => {
    const before = service.log.length;
    service.lifecycle.stopping = true;
    const replies = await Promise.all(
      ["/healthz", "/readyz", "/api/v1/things/fetch"].map((path) => get(path)),
    );
    service.lifecycle.stopping = false;
    expect(replies.map(outcome)).toEqual(["200", "503 HTTP_ERROR", "200"]);
    expect(outcome(await get("/readyz"))).toBe("200");
    expect(service.log.slice(before).filter(({ path }) => path === "/readyz")).toEqual([]);
  });

  test("a process without its database is up and not ready", async () => {
    const replies = await Promise.all(
      ["/healthz", "/readyz"].map((path) => cut.send({ method: "GET", path })),
    );
    for (const reply of replies) expectEnvelope(reply);
    expect(replies.map(outcome)).toEqual(["200", "503 HTTP_ERROR"]);
  });
});

describe("headers", () => {
  const forJson = {
    "content-security-policy": "default-src 'none';frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "strict-transport-security": expect.stringContaining("max-age="),
  };
  const forDocuments = {
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": expect.any(String),
    "origin-agent-cluster": "?1",
    "referrer-policy": "no-referrer",
    "x-dns-prefetch-control": "off",
    "x-download-options": "noopen",
    "x-frame-options": expect.any(String),
    "x-permitted-cross-domain-policies": "none",
    "x-xss-protection": "0",
  };

  test.each(["/api/v1/things/fetch", "/nothing", "/healthz"])(
    "of helmet that JSON needs stand on %s, and no others",
    async (path) => {
      const { headers } = await get(path);
      expect(headers).toMatchObject(forJson);
      for (const name of [...Object.keys(forDocuments), "x-powered-by", "etag"])
        expect(headers).not.toHaveProperty(name);
    },
  );

  test("all of helmet stand on a page", async () => {
    const { headers } = await get("/auth/forgot-password");
    expect(headers).toMatchObject({
      ...forDocuments,
      ...forJson,
      "content-security-policy": expect.any(String),
    });
  });
});

describe("cors", () => {
  const ask = async (from: typeof service, origin: string, method = "GET") => {
    const preflight = {
      "access-control-request-method": "PUT",
      "access-control-request-headers": "authorization",
    };
    const reply = await from.send({
      method,
      path: "/things/fetch",
      headers: { origin, ...(method === "OPTIONS" && preflight) },
    });
    const { headers } = reply;
    return [
      reply.status,
      headers["access-control-allow-origin"],
      headers["access-control-allow-credentials"],
      headers["access-control-allow-headers"],
    ];
  };

  test("without it no other origin may call", async () => {
    expect(await ask(service, "https://app.example.org")).toEqual([404, undefined, undefined, undefined]);
  });

  test("a wildcard goes without credentials", async () => {
    expect(await ask(open, "https://any.example.net")).toEqual([200, "*", undefined, undefined]);
    expect(await ask(open, "https://any.example.net", "OPTIONS")).toEqual([
      204,
      "*",
      undefined,
      "authorization",
    ]);
  });

  test.each(["https://app.example.org", "https://shop.example.com"])(
    "%s may call, with credentials",
    async (origin) => {
      expect(await ask(listed, origin)).toEqual([200, origin, "true", undefined]);
      expect(await ask(listed, origin, "OPTIONS")).toEqual([204, origin, "true", "authorization"]);
    },
  );

  // biome-ignore format: many a line
  test.each([
    "https://app.example.org.evil.net", "https://1.example.com", "https://a.example.com.net", "null", "http://app.example.org",
  ])("%s may not read it, and is served all the same: it may be no browser", async (origin) => {
    expect((await ask(listed, origin)).slice(0, 2)).toEqual([200, undefined]);
    expect((await ask(listed, origin, "OPTIONS")).slice(0, 2)).toEqual([405, undefined]);
    for (const path of ["/healthz", "/readyz"])
      expect((await listed.send({ method: "GET", path, headers: { origin } })).status).toBe(200);
    const sent = { method: "POST",
      path: "/graphql",
      headers: { origin },
      body: { query: "{ things { id } }" },
    };
    expect((await listed.send(sent)).status).toBe(200);
  });

  test("a preflight has a request id, and errors can be read across origins", async () => {
    const origin = "https://app.example.org";
    const preflight = { origin, "access-control-request-method": "PUT" };
    const options = await listed.send({ method: "OPTIONS", path: "/things/update", headers: preflight });
    expect(options.headers["x-request-id"]).toMatch(uuid);
    const failed = await listed.send({ method: "GET", path: "/things/fetch?limit=0", headers: { origin } });
    expect(failed.headers["access-control-allow-origin"]).toBe(origin);
    expect(failed.headers["access-control-expose-headers"]).toContain("X-Request-Id");
  });

  test.each([undefined, "https://app.example.org", "https://evil.example.net", "null"])(
    "for any origin (%s), the response varies by it",
    async (origin) => {
      const headers = { ...(origin !== undefined && { origin }), "access-control-request-method": "PUT" };
      for (const from of [listed, open])
        for (const [method, path] of [
          ["GET", "/things/fetch"],
          ["GET", "/things/fetch?limit=0"],
          ["POST", "/things/create"],
          ["GET", "/nothing"],
          ["GET", "/healthz"],
          ["OPTIONS", "/things/update"],
        ] as const) {
          const { vary } = (await from.send({ method, path, headers })).headers;
          expect(vary?.split(", "), `${method} ${path}`).toContain("Origin");
        }
      expect((await get("/api/v1/things/fetch", headers)).headers).not.toHaveProperty("vary");
    },
  );
});
