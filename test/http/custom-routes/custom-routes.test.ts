import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { createServer, defineRoute, ServiceError } from "#runtime/index";
import { requestOf } from "../../support/request.ts";
import { type Scenario, scenarios } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { silent } from "../../support/silent-log.ts";
import { leastStorageSettings } from "../../support/storage.ts";
import { service as fixture } from "../fixture/generated/index.ts";
import { handlers, routes } from "./routes.ts";

const served = { ...fixture, routes };
const service = await testService({ servicePrefix: "/api" }, { served });

beforeEach(() => {
  handlers.seen = [];
  handlers.gives = () => null;
});

const at = (send: string, expected: Partial<Scenario> = { data: null }): Scenario => ({
  send: send.replace(" ", " /api"),
  ...expected,
});

describe("who may call", () => {
  const denied = { fails: "403 PERMISSION_DENIED" };
  const missing = { fails: "401 MISSING_TOKEN" };
  scenarios(service, [
    at("GET /open"),
    at("GET /open", { as: "unnamed" }),
    at("GET /named"),
    at("GET /named", { as: "staff" }),
    at("GET /named", { as: "owner", ...denied }),
    at("GET /inside", missing),
    at("GET /inside", { as: "unnamed" }),
    at("GET /inside", { as: { role: "guest", sub: "7" } }),
    at("GET /staff", missing),
    at("GET /staff", { as: "owner" }),
    at("GET /staff", { as: "user", ...denied }),
    at("GET /staff", { as: "Staff", ...denied }),
    // An invalid credential is refused on every route, public ones too.
    at("GET /open", { headers: { authorization: "Bearer x" }, fails: "401 INVALID_TOKEN" }),
    at("GET /open", { headers: { "x-api-key": "x" }, fails: "401 INVALID_API_KEY" }),
    // The role is looked at before what is sent.
    at("POST /things/1/ring", { body: { other: 1 }, fails: "400 VALIDATION_ERROR other" }),
  ]);
});

describe("which path and method", () => {
  const unknown = { fails: "404 NOT_FOUND" };
  scenarios(
    service,
    [
      at("HEAD /open", {}),
      at("GET /open/", unknown),
      at("GET /Open", unknown),
      at("GET /opened", unknown),
      at("GET /things//ring", unknown),
      at("GET /things/7/ring/more", unknown),
      { send: "GET /open", ...unknown },
      at("GET /typed/%E0%A4%A/2026-01-31", { fails: "400 VALIDATION_ERROR" }),
      at("GET /typed/1%00/2026-01-31", { fails: "400 VALIDATION_ERROR" }),
      // The operations of the model are where they were.
      at("GET /things/count", { data: { count: 0 } }),
    ].filter(({ send }) => !send.startsWith("HEAD")),
  );

  it("a GET takes HEAD, which has no body", async () => {
    const { status, text, headers } = await service.send({ method: "HEAD", path: "/api/open" });
    expect([status, text, Number(headers["content-length"]) > 0]).toEqual([200, "", true]);
  });

  it.each([
    ["POST /api/open", "GET, HEAD"],
    ["PUT /api/things/7/ring", "POST, GET, HEAD"],
    ["OPTIONS /api/only-delete", "DELETE"],
    ["GET /api/only-delete", "DELETE"],
  ])("%s is 405, which names %s", async (send, allow) => {
    const { status, headers, envelope } = await service.send(requestOf(send));
    expect([status, envelope.error, headers["allow"]]).toEqual([405, "HTTP_ERROR", allow]);
  });
});

describe("parameters of the path and the query", () => {
  const day = "2026-01-31";
  const wrong = (field: string) => ({ fails: `400 VALIDATION_ERROR ${field}` });
  scenarios(service, [
    at(`GET /typed/0/${day}`, wrong("id")),
    at(`GET /typed/1e3/${day}`, wrong("id")),
    at(`GET /typed/%201/${day}`, wrong("id")),
    at("GET /typed/1/2026-02-30", wrong("day")),
    at(`GET /typed/1/${day}?price=1e3`),
    at(`GET /typed/1/${day}?price=10abc`, wrong("price")),
    at(`GET /typed/1/${day}?price=0x10`, wrong("price")),
    at(`GET /typed/1/${day}?price=Infinity`, wrong("price")),
    at(`GET /typed/1/${day}?flag=1`, wrong("flag")),
    at(`GET /typed/1/${day}?at=tomorrow`, wrong("at")),
    at(`GET /typed/1/${day}?at=${day}`),
    at(`GET /typed/1/${day}?ids=1,x`, wrong("ids.1")),
    at(`GET /typed/1/${day}?ids=1,,2`, wrong("ids")),
    at(`GET /typed/1/${day}?ids=[{}]`, wrong("ids")),
    at(`GET /typed/1/${day}?word=`, wrong("word")),
    at(`GET /typed/1/${day}?word=a&word=b`, wrong("word")),
    at(`GET /typed/1/${day}?kind=3`, wrong("kind")),
    at(`GET /typed/1/${day}?either=x`, wrong("either")),
    at(`GET /typed/1/${day}?other=1`, wrong("other")),
    at(`GET /typed/1/${day}?__proto__=1`, wrong("__proto__")),
    at(`GET /typed/1/${day}?constructor=1`, wrong("constructor")),
    at("GET /open?any=1", wrong("any")),
    at("POST /sent", { body: { name: "ab" }, ...wrong("must") }),
  ]);

  it("has the types of the schema, in objects without a prototype", async () => {
    const query = "price=-1.5&flag=true&at=2026-01-31T10:00:00Z&word=10&ids=1,2&kind=2&either=7";
    await service.send({ method: "GET", path: `/api/typed/007/${day}?${query}` });
    expect(handlers.seen).toEqual([
      {
        headers: expect.objectContaining({ connection: "keep-alive" }),
        params: { id: 7, day },
        query: {
          price: -1.5,
          flag: true,
          at: "2026-01-31T10:00:00Z",
          word: "10",
          ids: [1, 2],
          kind: 2,
          either: 7,
        },
        body: undefined,
      },
    ]);
  });
});

describe("what is sent", () => {
  const wrong = (field: string) => ({ fails: `400 VALIDATION_ERROR ${field}` });
  const sent = (body: unknown) => ({
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
  // biome-ignore format: one case a line
  scenarios(service, [
    at("POST /sent?must=x", { body: { name: "ab" } }),
    at("POST /sent?must=x", wrong("name")),
    at("POST /sent?must=x", { body: { name: "a", count: "1", other: 1 }, ...wrong("other") }),
    at("POST /sent?must=x", { body: { name: "ab", at: {} }, ...wrong("at.city") }),
    at("POST /sent?must=x", { body: { name: "ab", at: { city: "", zip: "" } }, ...wrong("at.zip") }),
    at("POST /sent?must=x", { body: { name: "ab", free: { zip: { deep: 1 } } } }),
    at("POST /sent?must=x", { ...sent([{ name: "ab" }]), fails: "400 VALIDATION_ERROR" }),
    at("POST /sent?must=x", { body: "{", headers: { "content-type": "application/json" }, fails: "400 VALIDATION_ERROR" }),
    at("POST /sent?must=x", { body: "name=ab", headers: { "content-type": "text/plain" }, fails: "415 HTTP_ERROR" }),
    at("POST /sent?must=x",
      { body: '{"name": "ab", "__proto__": {"count": 1}}', headers: { "content-type": "application/json" }, ...wrong("__proto__") }),
    at("POST /sent?must=x", { body: "{}", headers: { "content-type": "application/json", "content-encoding": "gzip" }, fails: "415 HTTP_ERROR" }),
    at("POST /sent?must=x", { body: { name: "a\0b" }, fails: "400 VALIDATION_ERROR" }),
    // A route without a body takes an empty one.
    at("POST /nothing", { body: {} }),
    at("POST /nothing", { body: { a: 1 }, ...wrong("a") }),
  ]);

  it("names all that is wrong", async () => {
    const body = { name: "a", count: "1", at: { city: 1 } };
    const { envelope } = await service.send({ method: "POST", path: "/api/sent?other=1", body });
    // biome-ignore format: related values together
    expect(envelope.details).toEqual({
      field: "other",
      errors: [{ field: "other", message: "is not a field" }, { field: "must", message: "is required" },
        { field: "name", message: "must have at least 2 characters" }, { field: "count", message: "must be integer" },
        { field: "at.city", message: "must be string" }],
    });
  });

  it("comes in objects without a prototype, at every depth", async () => {
    const body = '{"name": "ab", "free": {"__proto__": {"admin": true}, "list": [{"a": 1}]}}';
    await service.send({
      method: "POST",
      path: "/api/sent?must=x",
      body,
      headers: { "content-type": "application/json" },
    });
    const [input] = handlers.seen;
    const { params, query, body: given } = Object(input);
    const { free } = given;
    const objects = [params, query, given, free, Object.values(free)[0], free.list[0]];
    expect(objects.map((object) => Object.getPrototypeOf(object))).toEqual(objects.map(() => null));
    expect(Object.keys(free)).toEqual(["__proto__", "list"]);
  });

  it("is too large for a route as for any other", async () => {
    const body = "x".repeat(service.config.server.bodyLimitBytes + 1);
    for (const path of ["/api/bytes", "/api/sent?must=x"])
      for (const chunked of [false, true]) {
        const { status } = await service.send({ method: "POST", path, body, chunked });
        expect(status).toBe(413);
      }
  });

  it.each([
    ["application/json", '{"a":1}'],
    ["text/plain", "\u00e9"],
    ["application/octet-stream", ""],
  ])("raw: %s comes as its bytes", async (type, body) => {
    const headers = { "content-type": type };
    const { envelope } = await service.send({ method: "POST", path: "/api/bytes", body, headers });
    expect(envelope.data).toBe(Buffer.from(body).toString("hex"));
  });

  it("raw: what is compressed comes as it was sent, of which signatures are made", async () => {
    const body = gzipSync("{}");
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const { envelope } = await service.send({ method: "POST", path: "/api/bytes", body, headers });
    expect(envelope.data).toBe(body.toString("hex"));
  });

  it("headers are texts, and the object has nothing else", async () => {
    const headers = { "X-Signature": "t=1,v1=ab" };
    const { envelope } = await service.send({ method: "GET", path: "/api/headers", headers });
    expect(envelope.data).toEqual(["t=1,v1=ab", null, "null"]);
  });
});

describe("what is answered", () => {
  const broken = (gives: () => unknown) => async () => {
    handlers.gives = gives;
    const { status, envelope, headers } = await service.send({ method: "GET", path: "/api/cut" });
    const line = service.log.find(({ request_id }) => request_id === headers["x-request-id"]);
    return [status, envelope.error, envelope.data, JSON.stringify(line)];
  };

  it("is cut to what the route names, at every depth", async () => {
    const { status, envelope } = await service.send({ method: "GET", path: "/api/cut" });
    expect([status, envelope.message]).toEqual([200, "GET /cut succeeded"]);
    expect(envelope.data).toEqual({ id: 1, lines: [{ name: "a" }] });
  });

  it.each<[gives: () => unknown, reason: string]>([
    [() => ({ id: "1" }), "id must be integer"],
    [() => ({ id: undefined }), "id must be integer"],
    [() => ({ lines: [{ name: 1 }] }), "lines.0.name must be string"],
    [() => ({ lines: [{ name: 1n }] }), "lines.0.name must be string"],
  ])("what breaks its schema is 500, and the log says why", async (gives, reason) => {
    const [status, error, data, line] = await broken(gives)();
    expect([status, error, data]).toEqual([500, "INTERNAL_ERROR", null]);
    expect(line).toContain("the answer of GET /cut does not fit its schema");
    expect(line).toContain(reason);
  });

  it("nothing is null, where that is an answer", async () => {
    const { status, envelope } = await service.send({ method: "POST", path: "/api/nothing" });
    expect([status, envelope.data]).toEqual([200, null]);
  });
});

describe("errors, request id and log are those of any route", () => {
  it("a ServiceError is answered as it is", async () => {
    const { status, envelope } = await service.send({ method: "POST", path: "/api/full" });
    // biome-ignore format: one case a line
    expect([status, envelope]).toEqual([
      400,
      { statusCode: 400, status: "error", error: "VALIDATION_ERROR", message: "Full.", data: null, details: { seats: 0 } },
    ]);
  });

  it("one of a code that the app declares has the status of that", async () => {
    handlers.gives = () => {
      throw new ServiceError("SLOT_TAKEN", undefined, { seats: 0 });
    };
    const { status, envelope } = await service.send({ method: "GET", path: "/api/open" });
    expect([status, envelope.error, envelope.message, envelope.details]).toEqual([
      409,
      "SLOT_TAKEN",
      "Another user has this slot.",
      { seats: 0 },
    ]);
  });

  it.each([[new Error("secret")], ["secret"], [Object.assign(new Error("secret"), { code: "23505" })]])(
    "any other throw is 500, and stays in the log",
    async (thrown) => {
      handlers.gives = () => {
        throw thrown;
      };
      const { status, text, envelope, headers } = await service.send({ method: "GET", path: "/api/open" });
      expect([status, envelope.error, text.includes("secret")]).toEqual([500, "INTERNAL_ERROR", false]);
      const lines = service.log.filter(({ request_id }) => request_id === headers["x-request-id"]);
      expect(JSON.stringify(lines)).toContain("secret");
    },
  );

  it("the handler gets the caller, and logs lines of that request", async () => {
    const headers = { "x-request-id": "mine" };
    const { envelope } = await service.send(
      { method: "GET", path: "/api/context", headers },
      { role: "staff", sub: "7" },
    );
    expect(envelope.data).toMatchObject({ principal: { user_id: "7", role: "staff" }, request_id: "mine" });
    expect(service.log).toContainEqual(
      expect.objectContaining({ msg: "from the route", request_id: "mine", route: "GET /context" }),
    );
  });
});

describe("a route that cannot be served stops the start, and says which", () => {
  const plain = { method: "GET", path: "/x", access: ["*"], answer: {}, handler: () => null } as const;
  // biome-ignore format: one case a line
  it.each<[route: object, message: string]>([
    [{ answer: { type: "txt" } }, "answer: "],
    [{ query: { type: "object", properties: { a: { typ: "string" } } } }, 'query: properties.a: strict mode: unknown keyword: "typ"'],
    [{ body: { type: "object", properties: { a: { format: "zip" } } } }, 'body: properties.a: unknown format "zip"'],
    [{ path: "/x/:id", params: { type: "object", properties: { other: {} } } }, "the names in the path and those of the schema differ: other, id"],
    [{ path: "/x/" }, "its path has an empty segment"],
    [{ name: "GetX" }, "its name must begin with a lower-case letter and hold only letters and digits, such as bookSlot"],
    [{ name: 7 }, "its name is not a string"],
    [{ description: 7 }, "its description is not a string"],
    [{ mcp: { name: "Get X" } }, "mcp: its name must begin with a lower-case letter"],
  ])("%j", (odd, message) => {
    const route = { ...defineRoute({ ...plain }), ...odd };
    expect(() =>
      createServer(
        { ...fixture, routes: [route] },
        { config: service.config, database: service.pool, log: silent },
      ),
    ).toThrow(expect.objectContaining({ name: "ConfigError", message: expect.stringContaining(message) }));
  });
});

it.each([
  ["inside", "/inside"],
  ["mcp", "the module mcp"],
])("a slug of storage that the environment has set may be in the way: %s", (slug, other) => {
  const storage = { ...leastStorageSettings, slug };
  const config = { ...service.config, servicePrefix: "", storage, mcp: { instructions: null } };
  expect(() => createServer(served, { config, database: service.pool, log: silent })).toThrow(
    `storage.slug "${slug}" conflicts with ${other}`,
  );
});
