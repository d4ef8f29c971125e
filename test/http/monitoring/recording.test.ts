import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { account, accounts, apiKey, password } from "../../support/accounts.ts";
import { eventually } from "../../support/eventually.ts";
import { ingestionKey, monitoredService } from "../../support/monitoring.ts";
import { newRequestId, type RecordedRequest, recorded, traceOf } from "../../support/recorded.ts";
import { requestOf } from "../../support/request.ts";
import type { Caller } from "../../support/service-token.ts";
import { socialSettings } from "../../support/social/sign-in.ts";
import { leastStorageSettings } from "../../support/storage.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { stage } from "../fixture/stage.ts";

const root = temporaryFolder("kirak-files-");
const service = await monitoredService(
  {},
  {
    cors: { origins: ["https://app.example.org"], allowOriginRegex: null },
    storage: {
      ...leastStorageSettings,
      store: { provider: "local", root },
      maxFileSizeBytes: 1_000,
      publicPrefixes: ["open/"],
    },
  },
);
const prefixed = await monitoredService({}, { servicePrefix: "/api/v1", authPrefix: "/accounts" });

/** What is recorded of a request: `404 GET unmatched - user 1 NOT_FOUND`, with `-` for what is null. */
function line({ request }: RecordedRequest): string {
  const { status, method, route, model, operation, role, user_id: user, error } = request;
  const of = model === null && operation === null ? null : `${model}.${operation}`;
  return [status, method, route, of, role, user, error].map((text) => String(text ?? "-")).join(" ");
}

const guest = { user_id: null, role: "guest" };
const unidentified = { user_id: null, role: null };

describe("status, method, route, model and operation, caller and error code", () => {
  // biome-ignore format: one case a line
  test.each<[string, Caller, string]>([
    ["GET /notes/fetch?limit=1", null, "200 GET /notes/fetch notes.fetch guest - -"],
    ["HEAD /notes/fetch", null, "200 HEAD /notes/fetch notes.fetch guest - -"],
    ["GET /notes/fetch?nothing=1", "user", "400 GET /notes/fetch notes.fetch user 1 VALIDATION_ERROR"],
    ["POST /notes/create", { role: "user", sub: "7" }, "403 POST /notes/create notes.create user 7 PERMISSION_DENIED"],
    ["DELETE /notes/fetch", null, "405 DELETE /notes/fetch notes.fetch - - HTTP_ERROR"],
    ["PROPFIND /notes/fetch", null, "405 OTHER /notes/fetch notes.fetch - - HTTP_ERROR"],
    ["GET /strict-things/count", "admin", "200 GET /strict-things/count strict.count admin 1 -"],
    ["GET /notes/fetch/", null, "404 GET unmatched - - - NOT_FOUND"],
    ["GET /no/such/path", null, "404 GET unmatched - - - NOT_FOUND"],
    ["GET /%E0%A4%A", null, "400 GET unmatched - - - VALIDATION_ERROR"],
    ["POST /auth/login", null, "400 POST /auth/login - - - VALIDATION_ERROR"],
    ["GET /auth/me", null, "401 GET /auth/me - - - MISSING_TOKEN"],
    ["PUT /auth/me", null, "405 PUT /auth/me - - - HTTP_ERROR"],
    ["GET /admin/rate-limits/unknown@example.org", "admin", "404 GET /admin/rate-limits/{key} - admin 1 NOT_FOUND"],
    ["GET /storage/list", "admin", "200 GET /storage/list - admin 1 -"],
    ["GET /storage/files/open/missing.txt", null, "404 GET /storage/files/{path} - - - NOT_FOUND"],
    ["GET /graphql", null, "405 GET /graphql - - - HTTP_ERROR"],
  ])("%s as %j", async (send, as, expected) => {
    expect(line((await recorded(service, requestOf(send), as)).trace)).toBe(expected);
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

  test("the pattern does not contain the provider's name, and an unknown provider has no route", async () => {
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

  test("a GraphQL request has no model", async () => {
    const sent = { ...requestOf("POST /graphql"), body: { query: "{ notes { id } }" } };
    expect(line((await recorded(service, sent)).trace)).toBe("200 POST /graphql - guest - -");
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

  test("a refused credential records no user", async () => {
    const headers = { authorization: "Bearer eyJhbGciOiJIUzI1NiJ9.e30.forged" };
    const { trace } = await recorded(service, { ...requestOf("GET /notes/fetch"), headers });
    expect(trace.request).toMatchObject({ ...unidentified, status: 401, error: "INVALID_TOKEN" });
    expect(trace.steps.map(({ name }) => name)).toEqual(["auth"]);
  });

  test("ids of any form are recorded unchanged", async () => {
    await service.send(
      { ...requestOf("GET /notes/fetch"), headers: { "x-request-id": "007" } },
      { role: "user", sub: "0042" },
    );
    expect((await traceOf(service, "007")).request).toMatchObject({ request_id: "007", user_id: "0042" });
    expect((await service.ask("GET /trace/7")).status).toBe(404);
  });

  test("the time is the millisecond of arrival, rounded down", async () => {
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

  test("an OPTIONS request that is not a preflight is recorded", async () => {
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
  test("is in the trace of its request", async () => {
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
    stage.hooks = { after_login: (_, { log }) => void log.warn("logged in") };
    const sent = { ...requestOf("POST /auth/login"), body: { email: "ann@example.com", password } };
    const { reply } = await recorded(service, sent);
    stage.hooks = {};
    const lines = service.log.slice(before).filter(({ msg }) => msg === "logged in");
    expect(lines).toMatchObject([{ request_id: reply.headers["x-request-id"] }]);
  });
});

interface Route {
  readonly method: string;
  readonly route: string;
  readonly requests: number;
}

/** A service for each tenant, as it were: what callers send there is theirs to choose. */
const tenants = await monitoredService(
  { sampleRate: 0 },
  { servicePrefix: "/api", rateLimit: { enabled: false } },
  { mountedAt: "/:tenant" },
);

const at = (tenant: string, line: string) => requestOf(line.replace(" ", ` /${tenant}`));

const askMounted = (line: string, body?: Json) => {
  const headers = { authorization: `Bearer ${ingestionKey}` };
  return tenants.send({ ...at("any", line), headers, body });
};

// biome-ignore format: many a line
const sentLines = [
  "GET /api/notes/fetch?limit=1", "POST /auth/login", "POST /api/graphql", "GET /nowhere", "DELETE /admin/rate-limits/x",
];
// biome-ignore format: many a line
const patterns = [
  "DELETE /admin/rate-limits/{key}", "GET /api/notes/fetch", "GET unmatched", "POST /api/graphql", "POST /auth/login",
];

test("where an application mounts the service below a parameter, URLs of 40 tenants are as many patterns as those of one", async () => {
  const names = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? `t${index}` : `T-${index}`));
  for (let from = 0; from < names.length; from += 10) {
    const some = names.slice(from, from + 10);
    await Promise.all(some.flatMap((tenant) => sentLines.map((line) => tenants.send(at(tenant, line)))));
  }
  const routes = await eventually(async () => {
    const found: Route[] = JSON.parse((await askMounted("GET /monitoring/requests")).text).data.routes;
    expect(found.reduce((sum, { requests }) => sum + requests, 0)).toBe(names.length * sentLines.length);
    return found.map(({ method, route }) => `${method} ${route}`).sort();
  });
  expect(routes).toEqual(patterns);
  const { text } = await askMounted("GET /monitoring/metrics");
  const series = new Set(
    [...text.matchAll(/method="([^"]+)",route="([^"]+)"/g)].map(([, method, route]) => `${method} ${route}`),
  );
  expect([...series].sort()).toEqual(patterns);
});

test("checks name the same patterns", async () => {
  const check = {
    id: "1",
    metric: "4xx_rate",
    op: "gt",
    value: 0.5,
    window_seconds: 600,
    routes: ["/auth/login"],
  };
  const { envelope } = await askMounted("POST /monitoring/alerts/evaluate", { checks: [check] });
  expect(envelope.data).toMatchObject({ results: [{ id: "1", breaching: true, sample_count: 40 }] });
});
