import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { defineLimits, PostgresWindow, RedisWindow } from "#runtime/modules/rate-limit/index";
import { account, accounts, session } from "../../support/accounts.ts";
import { eventually } from "../../support/eventually.ts";
import { sendGraphql } from "../../support/graphql.ts";
import { limitedServices } from "../../support/limited-service.ts";
import { requestOf, type Sent } from "../../support/request.ts";
import { firedHooks, outcome } from "../../support/scenarios.ts";
import { type Caller, claimsOf, signed } from "../../support/service-token.ts";
import { stage } from "../fixture/stage.ts";

const services = await limitedServices();
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const exceeded = "429 RATE_LIMIT_EXCEEDED";

describe.each(services)("$counters", (service) => {
  const { clock, counted, sent, forget } = service;
  const send = (line: string, as: Caller = null, rest: Partial<Sent> = {}) => {
    return service.send({ ...requestOf(line), ...rest }, as);
  };
  const exhaust = async (line: string) => {
    for (let times = 0; times < 3; times++) await send(line);
  };
  /** The key of an operation, for this machine. */
  const keyOf = (model: string, operation: string) => `crud:${model}:${operation}:ip:127.0.0.1`;

  beforeEach(async () => {
    await service.store({});
    await forget();
    Object.assign(stage, { hooks: {}, fired: [] });
  });
  afterEach(() => {
    Object.assign(stage, { hooks: {}, fired: [] });
  });

  describe("what counts nowhere, and is refused as before when the limit is used up", () => {
    const now = Math.floor(clock.now() / 1000);
    // biome-ignore format: one case a line
    test.each<[string, string, Partial<Sent>]>([
      ["401 INVALID_TOKEN", "GET /things/fetch", { headers: bearer("x") }],
      ["401 INVALID_TOKEN", "GET /things/fetch", { headers: { authorization: "Basic x" } }],
      ["401 TOKEN_EXPIRED", "GET /things/fetch", { headers: bearer(signed({ ...claimsOf("admin"), iat: now - 100, exp: now - 1 })) }],
      ["401 INVALID_API_KEY", "GET /things/fetch", { headers: { "x-api-key": `kk_${"0".repeat(64)}` } }],
      ["405 HTTP_ERROR", "POST /things/fetch", {}],
      ["405 HTTP_ERROR", "OPTIONS /things/fetch", {}],
      ["405 HTTP_ERROR", "DELETE /things/fetch", { headers: bearer("x") }],
      ["404 NOT_FOUND", "GET /things/restore", {}],
      ["404 NOT_FOUND", "GET /things/nothing", {}],
      ["404 NOT_FOUND", "GET /nothing/fetch", {}],
      ["404 NOT_FOUND", "GET /vaults/fetch", {}],
      ["404 NOT_FOUND", "GET /things", {}],
    ])("%s for %s %j", async (answers, line, rest) => {
      const ask = async () => {
        const reply = await send(line, null, rest);
        expect(outcome(reply)).toBe(answers);
        expect(Object.keys(reply.headers).filter((name) => name.startsWith("x-ratelimit"))).toEqual([]);
      };
      for (let times = 0; times < 5; times++) await ask();
      expect(await counted()).toEqual({});
      await exhaust("GET /things/fetch");
      await ask();
      expect(await counted()).toEqual({ [keyOf("things", "fetch")]: 3 });
    });

    test("401 for a token that was revoked", async () => {
      const mine = session(1);
      await service.store(accounts([account(1)], [mine.row]));
      const headers = bearer(signed(claimsOf({ role: "user", sub: "1", email: "user1@example.com" })));
      const ask = () => send("GET /things/fetch", null, { headers });
      expect(outcome(await ask())).toBe("200");
      const logout = await send("POST /auth/logout", null, { headers, body: { token: mine.token } });
      expect(outcome(logout)).toBe("200");
      for (let times = 0; times < 5; times++) expect(outcome(await ask())).toBe("401 TOKEN_REVOKED");
      expect(await counted()).toMatchObject({ [keyOf("things", "fetch")]: 1 });
    });
  });

  describe("429 comes before", () => {
    test.each<[string, string, string, Sent["body"]?]>([
      ["403 of the operation", "POST /things/create", "403 PERMISSION_DENIED", { data: {} }],
      ["403 of a field", "GET /people/fetch?salary=1", "403 PERMISSION_DENIED salary"],
      ["a parameter that is unknown", "GET /things/fetch?nothing=1", "400 VALIDATION_ERROR nothing"],
      ["an invalid value", "GET /things/fetch?integer=x", "400 VALIDATION_ERROR integer"],
      ["a filter that is missing", "GET /things/exists", "400 VALIDATION_ERROR"],
      ["a search that is not possible", "GET /docs/search?search_term=a", "403 PERMISSION_DENIED"],
    ])("%s", async (_, line, answers, body) => {
      for (let times = 0; times < 3; times++)
        expect(outcome(await send(line, null, { body }))).toContain(answers);
      expect(outcome(await send(line, null, { body }))).toBe(exceeded);
    });

    test("a body that is malformed, too large, or of the wrong type: it is not read", async () => {
      const create = (body: Sent["body"], type = "application/json") =>
        send("POST /things/create", "admin", { body, headers: { "content-type": type } });
      expect(outcome(await create("{"))).toBe("400 VALIDATION_ERROR");
      expect(outcome(await create(Buffer.alloc(200_000, " ")))).toBe("413 HTTP_ERROR");
      expect(outcome(await create("{}", "text/plain"))).toBe("415 HTTP_ERROR");
      expect(await counted()).toEqual({ [keyOf("things", "create")]: 3 });
      expect(outcome(await create("{"))).toBe(exceeded);
      expect(outcome(await create("{}", "text/plain"))).toBe(exceeded);
    });

    test("hooks and SQL", async () => {
      const create = (name: string) =>
        send("POST /hooked/create", "admin", { body: { data: { name, code: "c" } } });
      for (const name of ["a", "b", "c"]) expect(outcome(await create(name))).toBe("200");
      const before = sent();
      expect(before.statements.length + before.transactions).toBeGreaterThan(0);
      stage.fired = [];
      expect(outcome(await create("d"))).toBe(exceeded);
      expect(firedHooks()).toEqual([]);
      expect(sent()).toEqual(before);
      expect(await service.query("SELECT name FROM hooked ORDER BY name")).toHaveLength(3);
    });
  });

  describe("no way around", () => {
    const fetch = keyOf("things", "fetch");

    test("HEAD counts with GET", async () => {
      for (const [method, remaining] of [
        ["GET", "2"],
        ["HEAD", "1"],
        ["HEAD", "0"],
      ] as const) {
        const reply = await send(`${method} /things/fetch`);
        expect([reply.status, reply.headers["x-ratelimit-remaining"]]).toEqual([200, remaining]);
      }
      const refused = await send("HEAD /things/fetch");
      expect([refused.status, refused.text]).toEqual([429, ""]);
      expect(Number(refused.headers["retry-after"])).toBe(60);
      expect((await send("GET /things/fetch")).status).toBe(429);
      expect(await counted()).toEqual({ [fetch]: 3 });
    });

    // biome-ignore format: many a line
    test.each([
      "/things/f%65tch", "/%74hings/fetch", "/%74%68%69%6e%67%73/%66%65%74%63%68", "/things/fetch?", "/things/fetch?limit=1",
      "/things/fetch?x=1&nothing", "http://example.org/things/fetch", "http://example.org/things/f%65tch?limit=1",
    ])("%s is the same route, and counts as such", async (path) => {
      for (const remaining of ["2", "1", "0"])
        expect((await send(`GET ${path}`)).headers["x-ratelimit-remaining"]).toBe(remaining);
      expect(await counted()).toEqual({ [fetch]: 3 });
      expect(outcome(await send(`GET ${path}`))).toBe(exceeded);
      expect(outcome(await send("GET /things/fetch"))).toBe(exceeded);
    });

    // biome-ignore format: many a line
    test.each([
      "/things/fetch/", "//things/fetch", "/things//fetch", "/./things/fetch", "/folders/../things/fetch", "/things/fetch/.", "/Things/fetch",
      "/things/FETCH", "/things%2Ffetch", "/things/fetch%20", "/things/fetch%3Flimit=1", "/things/fetch;a=b", "/things/fetch#a", "/things/%2566etch",
      "/things/fetch%0a", "/things\\fetch",
    ])("%s is no route", async (path) => {
      expect(outcome(await send(`GET ${path}`))).toBe("404 NOT_FOUND");
      expect(await counted()).toEqual({});
    });

    test.each(["X-HTTP-Method-Override", "X-Original-URL", "X-Rewrite-URL"])(
      "%s changes nothing",
      async (name) => {
        await send("GET /things/fetch", null, { headers: { [name]: "/folders/fetch" } });
        expect(await counted()).toEqual({ [fetch]: 1 });
      },
    );

    test("a caller with and without a credential has the same counter by address", async () => {
      await send("GET /things/fetch");
      await send("GET /things/fetch", "user");
      await send("GET /things/fetch", "admin");
      for (const as of [null, "user", "admin"])
        expect((await send("GET /things/fetch", as)).status).toBe(429);
    });
  });
});

const prefixed = await limitedServices({ servicePrefix: "/api", authPrefix: "/account" });

describe.each(prefixed)("with prefixes of other names: $counters", (service) => {
  const { counted, forget } = service;
  const send = (line: string) => {
    return service.send(requestOf(line), "admin");
  };

  test.each([
    ["GET /api/things/fetch", "crud:things:fetch:ip:127.0.0.1"],
    ["POST /account/login", "auth:login:ip:127.0.0.1"],
    ["POST /account/setup-mfa", "auth:setup-mfa:ip:127.0.0.1"],
  ])("%s is counted as ever", async (line, key) => {
    await forget();
    await send(line);
    expect(await counted()).toEqual({ [key]: 1 });
  });

  test("counters are administered where they were", async () => {
    expect(outcome(await send("GET /admin/rate-limits"))).toBe("200");
    for (const prefix of ["/api", "/account"])
      expect(outcome(await send(`GET ${prefix}/admin/rate-limits`))).toBe("404 NOT_FOUND");
  });
});

const unlimited = await limitedServices(
  { rateLimit: { enabled: false } },
  { things: defineLimits({ fetch: { maxRequests: 1, windowSeconds: 60, per: "ip" } }) },
);

describe.each(unlimited)("limits that are off for the whole service, with $counters", (service) => {
  const { counted } = service;
  test("refuse no request, even if models set a limit, and query no store", async () => {
    const count = [vi.spyOn(PostgresWindow.prototype, "count"), vi.spyOn(RedisWindow.prototype, "count")];
    for (let times = 0; times < 5; times++) {
      for (const path of ["/things/fetch", "/folders/fetch"]) {
        const { status, headers } = await service.send({ method: "GET", path });
        expect(status).toBe(200);
        expect(Object.keys(headers).filter((name) => name.startsWith("x-ratelimit"))).toEqual([]);
      }
      expect((await sendGraphql(service, "{ things { id } folders { id } }")).status).toBe(200);
    }
    for (const spy of count) expect(spy).not.toHaveBeenCalled();
    vi.restoreAllMocks();
    expect(await counted()).toEqual({});
  });
});

const callers = 10;

const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`;

/** A connection that the service has taken, and of which it has not looked up where it comes from. */
async function connected(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname).on("error", () => {});
  socket.write(ask("/healthz"));
  await once(socket, "data");
  return socket;
}

describe.each(services)("$counters: who hangs up before the answer", ({ origin, ...service }) => {
  beforeEach(() => service.forget());

  test("is counted by address, and not together with others", async () => {
    const sockets = await Promise.all(Array.from({ length: callers }, () => connected(origin)));
    for (const socket of sockets) {
      socket.write(ask("/things/count"));
      socket.resetAndDestroy();
    }
    const aborted = () =>
      service.log.filter(({ path, aborted }) => path === "/things/count" && aborted === true);
    await eventually(() => expect(aborted()).toHaveLength(callers));
    // What came before it is counted by the time that it is answered.
    expect((await service.send({ method: "GET", path: "/things/count" })).status).toBe(429);
    expect(await service.counted()).toEqual({ "crud:things:count:ip:127.0.0.1": 3 });
  });

  test("is not served where that was before the connection was taken", async () => {
    const { hostname, port } = new URL(origin);
    const sockets = Array.from({ length: callers }, () => connect(Number(port), hostname));
    await Promise.all(
      sockets.map(async (socket) => {
        socket
          .on("error", () => {})
          .on("connect", () => {
            socket.write(ask("/things/fetch"));
            socket.resetAndDestroy();
          });
        await once(socket, "close");
      }),
    );
    // Connections are taken in the order in which they came.
    await service.send({ method: "GET", path: "/things/fetch" });
    expect(Object.keys(await service.counted())).toEqual(["crud:things:fetch:ip:127.0.0.1"]);
  });
});
