import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { account, accounts, apiKey, password } from "../../support/accounts.ts";
import { eventually } from "../../support/eventually.ts";
import { monitoredService } from "../../support/monitoring.ts";
import { newRequestId, type RecordedRequest, recorded, requestOf, traceOf } from "../../support/recorded.ts";
import type { Caller } from "../../support/service-token.ts";
import { socialSettings } from "../../support/social/sign-in.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { stage } from "../fixture/stage.ts";

const root = temporaryFolder("kirak-files-");
const service = await monitoredService(
  {},
  {
    cors: { origins: ["https://app.example.org"], allowOriginRegex: null },
    storage: {
      store: { provider: "local", root },
      slug: "storage",
      maxFileSizeBytes: 1_000,
      allowedMediaTypes: null,
      urlTtlSeconds: 3600,
      publicPrefixes: ["open/"],
      publicBaseUrl: null,
      scope: "shared",
      thumbnails: [],
      maxPixels: 1_000,
      limits: {},
    },
  },
);
const prefixed = await monitoredService({}, { servicePrefix: "/api/v1", authPrefix: "/accounts" });

/** What is recorded of a request but for its id and its times. */
const figures = ({ request: { request_id, at, duration_ms, bytes, ...others } }: RecordedRequest) => others;

const guest = { user_id: null, role: "guest" };
const nobody = { user_id: null, role: null };
const noModel = { model: null, operation: null };

describe("route, model and operation, status, caller and error code", () => {
  test.each<[string, Caller, object]>([
    [
      "GET /notes/fetch?limit=1",
      null,
      {
        method: "GET",
        route: "/notes/fetch",
        model: "notes",
        operation: "fetch",
        status: 200,
        ...guest,
        error: null,
      },
    ],
    [
      "HEAD /notes/fetch",
      null,
      {
        method: "HEAD",
        route: "/notes/fetch",
        model: "notes",
        operation: "fetch",
        status: 200,
        ...guest,
        error: null,
      },
    ],
    [
      "GET /notes/fetch?nothing=1",
      "user",
      {
        method: "GET",
        route: "/notes/fetch",
        model: "notes",
        operation: "fetch",
        status: 400,
        user_id: "1",
        role: "user",
        error: "VALIDATION_ERROR",
      },
    ],
    [
      "POST /notes/create",
      { role: "user", sub: "7" },
      {
        method: "POST",
        route: "/notes/create",
        model: "notes",
        operation: "create",
        status: 403,
        user_id: "7",
        role: "user",
        error: "PERMISSION_DENIED",
      },
    ],
    [
      "DELETE /notes/fetch",
      null,
      {
        method: "DELETE",
        route: "/notes/fetch",
        model: "notes",
        operation: "fetch",
        status: 405,
        ...nobody,
        error: "HTTP_ERROR",
      },
    ],
    [
      "PROPFIND /notes/fetch",
      null,
      {
        method: "OTHER",
        route: "/notes/fetch",
        model: "notes",
        operation: "fetch",
        status: 405,
        ...nobody,
        error: "HTTP_ERROR",
      },
    ],
    [
      "GET /strict-things/count",
      "admin",
      {
        method: "GET",
        route: "/strict-things/count",
        model: "strict",
        operation: "count",
        status: 200,
        user_id: "1",
        role: "admin",
        error: null,
      },
    ],
    [
      "GET /notes/fetch/",
      null,
      { method: "GET", route: "unmatched", ...noModel, status: 404, ...nobody, error: "NOT_FOUND" },
    ],
    [
      "GET /no/such/path",
      null,
      { method: "GET", route: "unmatched", ...noModel, status: 404, ...nobody, error: "NOT_FOUND" },
    ],
    [
      "GET /%E0%A4%A",
      null,
      { method: "GET", route: "unmatched", ...noModel, status: 400, ...nobody, error: "VALIDATION_ERROR" },
    ],
    [
      "POST /auth/login",
      null,
      { method: "POST", route: "/auth/login", ...noModel, status: 400, ...nobody, error: "VALIDATION_ERROR" },
    ],
    [
      "GET /auth/me",
      null,
      { method: "GET", route: "/auth/me", ...noModel, status: 401, ...nobody, error: "MISSING_TOKEN" },
    ],
    [
      "PUT /auth/me",
      null,
      { method: "PUT", route: "/auth/me", ...noModel, status: 405, ...nobody, error: "HTTP_ERROR" },
    ],
    [
      "GET /admin/rate-limits/somebody@example.org",
      "admin",
      {
        method: "GET",
        route: "/admin/rate-limits/{key}",
        ...noModel,
        status: 404,
        user_id: "1",
        role: "admin",
        error: "NOT_FOUND",
      },
    ],
    [
      "GET /storage/list",
      "admin",
      {
        method: "GET",
        route: "/storage/list",
        ...noModel,
        status: 200,
        user_id: "1",
        role: "admin",
        error: null,
      },
    ],
    [
      "GET /storage/files/open/somebody.txt",
      null,
      {
        method: "GET",
        route: "/storage/files/{path}",
        ...noModel,
        status: 404,
        ...nobody,
        error: "NOT_FOUND",
      },
    ],
    [
      "GET /graphql",
      null,
      { method: "GET", route: "/graphql", ...noModel, status: 405, ...nobody, error: "HTTP_ERROR" },
    ],
  ])("%s as %j", async (send, as, expected) => {
    const { trace } = await recorded(service, requestOf(send), as);
    expect(figures(trace)).toEqual(expected);
  });

  test("prefixes are part of the patterns", async () => {
    const routes = [];
    for (const send of [
      "GET /api/v1/notes/fetch",
      "POST /api/v1/graphql",
      "POST /accounts/login",
      "GET /notes/fetch",
    ])
      routes.push((await recorded(prefixed, requestOf(send))).trace.request["route"]);
    expect(routes).toEqual(["/api/v1/notes/fetch", "/api/v1/graphql", "/accounts/login", "unmatched"]);
  });

  test("the name of a provider is none of the pattern, and what is no provider leads nowhere", async () => {
    const social = await monitoredService({}, { social: socialSettings({ github: {} }) });
    const found = [];
    for (const line of ["GET /auth/github/login", "GET /auth/github/callback", "GET /auth/gitlab/login"]) {
      const { request } = (await recorded(social, requestOf(line))).trace;
      found.push([request["route"], request["status"]]);
    }
    expect(found).toEqual([
      ["/auth/{provider}/login", 302],
      ["/auth/{provider}/callback", expect.any(Number)],
      ["unmatched", 404],
    ]);
  });

  test("GraphQL has no model, whatever it asks for", async () => {
    const sent = { ...requestOf("POST /graphql"), body: { query: "{ notes { id } }" } };
    expect(figures((await recorded(service, sent)).trace)).toEqual({
      method: "POST",
      route: "/graphql",
      ...noModel,
      status: 200,
      ...guest,
      error: null,
    });
  });

  test("an API key names user and role as a session does", async () => {
    const { key, row } = apiKey(1);
    await service.store(accounts([account(1, { role: "admin" })], [row]));
    const { trace } = await recorded(service, {
      ...requestOf("GET /notes/fetch"),
      headers: { "x-api-key": key },
    });
    expect(trace.request).toMatchObject({ user_id: "1", role: "admin" });
  });

  test("a credential that is refused names nobody", async () => {
    const headers = { authorization: "Bearer eyJhbGciOiJIUzI1NiJ9.e30.forged" };
    const { trace } = await recorded(service, { ...requestOf("GET /notes/fetch"), headers });
    expect(trace.request).toMatchObject({ ...nobody, status: 401, error: "INVALID_TOKEN" });
    expect(trace.steps.map(({ name }) => name)).toEqual(["auth"]);
  });

  test("ids stay as they are, whatever they look like", async () => {
    await service.send(
      { ...requestOf("GET /notes/fetch"), headers: { "x-request-id": "007" } },
      { role: "user", sub: "0042" },
    );
    expect((await traceOf(service, "007")).request).toMatchObject({ request_id: "007", user_id: "0042" });
    expect((await service.ask("GET /trace/7")).status).toBe(404);
  });

  test("the time is the millisecond in which it arrived, whatever is left of it", async () => {
    const now = Date.now();
    const stopped = await monitoredService({}, {}, { now: () => now });
    for (let sent = 0; sent < 20; sent++) {
      const { trace } = await recorded(stopped, requestOf("GET /notes/fetch"));
      const arrived = now - Number(trace.request["duration_ms"]);
      // Durations are kept in whole microseconds.
      expect(Date.parse(String(trace.request["at"]))).toBeLessThanOrEqual(arrived + 0.001);
    }
  });

  test("the bytes are those of the body", async () => {
    const { reply, trace } = await recorded(service, requestOf("GET /notes/fetch"));
    expect(trace.request["bytes"]).toBe(Buffer.byteLength(reply.text));
    expect((await recorded(service, requestOf("HEAD /notes/fetch"))).trace.request["bytes"]).toBe(0);
  });

  test("the bytes of a file are those that were sent", async () => {
    const form = Buffer.from(
      '--b\r\nContent-Disposition: form-data; name="path"\r\n\r\nopen/a.txt\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n0123456789\r\n--b--\r\n',
    );
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    const upload = await recorded(
      service,
      { ...requestOf("POST /storage/upload/file"), headers, body: form },
      "admin",
    );
    expect(upload.reply.status).toBe(200);
    expect(upload.trace.steps.map(({ name }) => name)).toEqual(["auth", "validate", "validate", "serialize"]);
    const whole = await recorded(service, requestOf("GET /storage/files/open/a.txt"));
    expect(whole.trace.request).toMatchObject({ status: 200, bytes: 10, route: "/storage/files/{path}" });
    const part = await recorded(service, {
      ...requestOf("GET /storage/files/open/a.txt"),
      headers: { range: "bytes=2-4" },
    });
    expect(part.trace.request).toMatchObject({ status: 206, bytes: 3 });
    const etag = whole.reply.headers.etag ?? "";
    const same = await recorded(service, {
      ...requestOf("GET /storage/files/open/a.txt"),
      headers: { "if-none-match": etag },
    });
    expect(same.trace.request).toMatchObject({ status: 304, bytes: 0 });
  });

  test("1,500 paths that lead nowhere are one route", async () => {
    const paths = Array.from(
      { length: 1_500 },
      (_, n) => `/${n % 3 === 0 ? `notes/${n}` : `stranger-${n}/fetch`}`,
    );
    for (let from = 0; from < paths.length; from += 100)
      await Promise.all(paths.slice(from, from + 100).map((path) => prefixed.send({ method: "GET", path })));
    const counted = await eventually(async () => {
      const { routes } = JSON.parse((await prefixed.ask("GET /requests")).text).data;
      const unmatched = routes.filter(({ route }: { route: string }) => route === "unmatched");
      expect(unmatched[0]?.requests).toBeGreaterThanOrEqual(1_500);
      return routes.length;
    });
    expect(counted).toBeLessThan(10);
  });
});

describe("what is not recorded", () => {
  const preflight = { origin: "https://app.example.org", "access-control-request-method": "GET" };
  test.each<[string, Record<string, string>]>([
    ["GET /healthz", {}],
    ["POST /healthz", {}],
    ["GET /readyz", {}],
    ["GET /monitoring/ping", {}],
    ["GET /monitoring/summary", {}],
    ["GET /monitoring/no-such-route", {}],
    ["OPTIONS /notes/fetch", preflight],
  ])("%s", async (send, headers) => {
    const id = newRequestId();
    await service.send({ ...requestOf(send), headers: { "x-request-id": id, ...headers } });
    // What came after it is there.
    await recorded(service, requestOf("GET /notes/fetch"));
    expect((await service.ask(`GET /trace/${id}`)).status).toBe(404);
  });

  test("a preflight where no origin may call", async () => {
    await prefixed.send({
      ...requestOf("OPTIONS /api/v1/notes/fetch"),
      headers: { "x-request-id": "lonely", ...preflight },
    });
    await recorded(prefixed, requestOf("GET /api/v1/notes/fetch"));
    expect((await prefixed.ask("GET /trace/lonely")).status).toBe(404);
  });

  test("an OPTIONS request that is none is recorded", async () => {
    expect((await recorded(service, requestOf("OPTIONS /notes/fetch"))).trace.request).toMatchObject({
      method: "OPTIONS",
      status: 405,
    });
  });
});

describe("callers who leave", () => {
  test("before the answer: 499 without an error code", async () => {
    const { port } = new URL(service.origin);
    let arrive = () => {};
    let goOn = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const late = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    stage.hooks = {
      before_fetch: async () => {
        arrive();
        await late;
      },
    };
    const socket = connect(Number(port), "127.0.0.1");
    socket.write("GET /hooked/fetch HTTP/1.1\r\nHost: here\r\nX-Request-Id: left\r\n\r\n");
    await arrived;
    socket.destroy();
    const { request: left, errors } = await traceOf(service, "left");
    goOn();
    expect(left).toMatchObject({ status: 499, error: null, bytes: 0, route: "/hooked/fetch", ...guest });
    expect(errors).toEqual([]);
    stage.hooks = {};
  });
});

describe("failures", () => {
  test("a 5xx has the message and the stack of its cause, with what that was for", async () => {
    const cause = new Error("the ledger is closed", { cause: new Error("for the holidays") });
    stage.hooks = {
      before_fetch() {
        throw cause;
      },
    };
    const { trace } = await recorded(service, requestOf("GET /hooked/fetch"));
    expect(trace.request).toMatchObject({ status: 500, error: "INTERNAL_ERROR" });
    expect(trace.errors).toEqual([
      {
        code: "INTERNAL_ERROR",
        message: "the ledger is closed: for the holidays",
        stack: expect.stringMatching(
          /Error: the ledger is closed\n {4}at [\s\S]*\ncaused by: Error: for the holidays/,
        ),
      },
    ]);
    stage.hooks = {};
  });

  test("a 4xx has none", async () => {
    expect((await recorded(service, requestOf("GET /notes/fetch?nothing=1"))).trace.errors).toEqual([]);
  });
});

describe("what hooks log", () => {
  test("stands in the trace of its request", async () => {
    stage.hooks = { before_fetch: (_, { log }) => void log.warn({ shelf: 3 }, "the shelf is empty") };
    const { trace } = await recorded(service, requestOf("GET /hooked/fetch"));
    stage.hooks = {};
    expect(trace.logs).toMatchObject([
      { level: "warn", message: "the shelf is empty", fields: { shelf: 3 } },
    ]);
  });

  test("of the accounts, too", async () => {
    await service.store(accounts([account(1, { email: "ann@example.com" })]));
    const before = service.log.length;
    stage.hooks = { after_login: (_, { log }) => void log.warn("somebody is here") };
    const sent = { ...requestOf("POST /auth/login"), body: { email: "ann@example.com", password } };
    const { reply } = await recorded(service, sent);
    stage.hooks = {};
    const lines = service.log.slice(before).filter(({ msg }) => msg === "somebody is here");
    expect(lines).toMatchObject([{ request_id: reply.headers["x-request-id"] }]);
  });
});
