import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { PasswordQueue } from "#runtime/modules/auth/index";
import { storageRoutes } from "#vocabulary/built-in-routes";
import { handlers, routes } from "../http/custom-routes/routes.ts";
import { service as fixture } from "../http/fixture/generated/index.ts";
import { stage } from "../http/fixture/stage.ts";
import { account, accounts, countRows } from "../support/accounts.ts";
import {
  bearer,
  type CredentialRequest,
  given,
  graphqlRequests,
  requestOf,
  requests,
  restRequests,
  tokenPair,
  tracesIn,
} from "../support/credential-requests.ts";
import { eventually } from "../support/eventually.ts";
import { limited } from "../support/limited-service.ts";
import type { Reply, Sent } from "../support/request.ts";
import { expectEnvelope, outcome } from "../support/scenarios.ts";
import { type TestService, testService } from "../support/service.ts";
import type { Caller } from "../support/service-token.ts";
import { storageService } from "../support/storage.ts";

const whole = await testService({ auth: { cookieName: "session" } });
/** Where no hook of GraphQL asks for the caller beforehand. */
const withoutHooks = { served: { ...fixture, graphql: { ...fixture.graphql, hooks: {} } } };
const bare = await testService({}, withoutHooks);
const counting = limited({ rateLimit: { defaultMaxRequests: 1000 } });
const limitedServices = [await testService(counting), await testService(counting, withoutHooks)];
const revoked = "401 TOKEN_REVOKED";

beforeEach(() => {
  Object.assign(stage, { hooks: {}, fired: [] });
});
afterEach(() => {
  vi.restoreAllMocks();
  Object.assign(stage, { hooks: {}, fired: [] });
});

/** The log line of an answer. */
const lineOf = ({ log }: TestService, { headers }: Reply) =>
  eventually(() => {
    const line = log.find(({ request_id }) => request_id === headers["x-request-id"]);
    expect(line).toBeDefined();
    return line ?? {};
  });

/** Refuses as if the token had never been one: neither answer nor log line says whose it was. */
async function expectRevoked(service: TestService, sent: Sent, token: string): Promise<void> {
  const [reply, other] = [
    await service.send({ ...sent, headers: bearer(token) }),
    await service.send({ ...sent, headers: bearer("x") }),
  ];
  expectEnvelope(reply);
  expect([reply, other].map(outcome)).toEqual([revoked, "401 INVALID_TOKEN"]);
  expect(Object.keys(reply.headers).sort()).toEqual(Object.keys(other.headers).sort());
  const [line, otherLine] = [await lineOf(service, reply), await lineOf(service, other)];
  expect(line).toMatchObject({ status: 401, error: "TOKEN_REVOKED" });
  expect(Object.keys(line).sort()).toEqual(Object.keys(otherLine).sort());
}

type Served = readonly [name: string, service: TestService, requests: readonly CredentialRequest[]];
const served: readonly Served[] = [
  ["over REST", whole, restRequests],
  ["over GraphQL, with hooks of the endpoint", whole, graphqlRequests],
  ["over GraphQL, without hooks of the endpoint", bare, graphqlRequests],
];

describe.each(served)("what a revoked token brings about %s", async (_, service, requests) => {
  const traces = await tracesIn(service);

  test.each(requests.map((request) => [request.name, request] as const))(
    "%s: 401 and nothing else; with a good one it is done",
    async (_, { as, sent, writes, isHooked }) => {
      const hashed = vi.spyOn(PasswordQueue.prototype, "hash");
      // The second time on a connection that may have prepared all of it, and then one that is known to be revoked.
      const [pair, other] = [tokenPair(as), tokenPair(as)];
      await service.store({ ...given, auth_token_blacklist: [pair.row, other.row] });
      const before = await traces();
      for (const token of [pair.revoked, other.revoked, pair.revoked]) {
        await expectRevoked(service, sent, token);
        expect(await traces()).toEqual(before);
      }
      expect(hashed).not.toHaveBeenCalled();

      const reply = await service.send({ ...sent, headers: bearer(pair.good) });
      expectEnvelope(reply);
      expect(outcome(reply), reply.text).toBe("200");
      expect(reply.headers["cache-control"]).toBe("no-store");
      const sub = typeof as === "string" ? "1" : as.sub;
      expect(await lineOf(service, reply)).toMatchObject({ status: 200, user_id: sub });
      const after = await traces();
      expect(JSON.stringify(after.rows) === JSON.stringify(before.rows)).toBe(!writes);
      const ofEndpoint = service === whole && sent.path === "/graphql" ? 2 : 0;
      expect(after.hooks.length > ofEndpoint).toBe(isHooked);
      expect(hashed.mock.calls.length > 0).toBe(JSON.stringify(sent).includes("a password"));
    },
  );
});

test.each(limitedServices)(
  "where limits are on it counts nowhere, not even for its address",
  async (service) => {
    const counted = async () =>
      (await service.query("SELECT key FROM kirak_rate_limits")).map(({ key }) => key);
    for (const { as, sent } of requests) {
      const pair = tokenPair(as);
      await service.store({ ...given, auth_token_blacklist: [pair.row] });
      await expectRevoked(service, sent, pair.revoked);
    }
    expect(await counted()).toEqual([]);
    const { sent, as } = requestOf("tasks, admin: fetch");
    expect(outcome(await service.send(sent, as))).toBe("200");
    expect(await counted()).toEqual(["crud:tasks:fetch:ip:127.0.0.1"]);
  },
);

test("a row that has expired revokes nothing", async () => {
  const pair = tokenPair("admin");
  const expired = { ...pair.row, expires_at: new Date(Date.now() - 1_000).toISOString() };
  await bare.store({ ...given, auth_token_blacklist: [expired] });
  for (const name of [
    "tasks, admin: fetch",
    "tasks, admin: create",
    "GraphQL: a list",
    "GraphQL: create with hooks",
  ])
    expect(outcome(await bare.send({ ...requestOf(name).sent, headers: bearer(pair.revoked) }))).toBe("200");
});

test("HEAD, and the cookie", async () => {
  const pair = tokenPair("admin");
  await whole.store({ ...given, auth_token_blacklist: [pair.row] });
  const path = "/tasks/fetch";
  const head = await whole.send({ method: "HEAD", path, headers: bearer(pair.revoked) });
  expect([head.status, head.text]).toEqual([401, ""]);
  const cookie = await whole.send({ method: "GET", path, headers: { cookie: `session=${pair.revoked}` } });
  expect(outcome(cookie)).toBe(revoked);
  const good = await whole.send({ method: "GET", path, headers: { cookie: `session=${pair.good}` } });
  expect(outcome(good)).toBe("200");
});

const service = await testService({}, { served: { ...fixture, routes } });
const files = await storageService();
const traces = new Map([
  [service, await tracesIn(service)],
  [bare, await tracesIn(bare)],
]);
const seven = { role: "user", sub: "7" };

beforeEach(() => Object.assign(handlers, { seen: [], gives: () => null }));

/** The outcomes of one request, with a token that was revoked and with one that is good. */
async function outcomes(
  line: string,
  as: Exclude<Caller, null>,
  rest: Partial<Sent> = {},
  from = service,
): Promise<readonly string[]> {
  const pair = tokenPair(as);
  const look = traces.get(from);
  await from.store({ ...given, auth_token_blacklist: [pair.row] });
  const before = await look?.();
  const [method = "", path = ""] = line.split(" ");
  const send = async (token: string) => {
    const reply = await from.send({ method, path, ...rest, headers: { ...rest.headers, ...bearer(token) } });
    expectEnvelope(reply);
    return reply;
  };
  const refused = await send(pair.revoked);
  expect(await look?.()).toEqual(before);
  const reply = await send(pair.good);
  expect((await look?.())?.rows).toEqual(before?.rows);
  expect(refused.headers["cache-control"]).toBeUndefined();
  // Caches must not store any response to a caller.
  if (reply.status !== 404 && reply.status !== 405) expect(reply.headers["cache-control"]).toBe("no-store");
  return [refused, reply].map(outcome);
}

describe("a revoked token is reported before any other error; valid tokens get the other error", () => {
  const body = (value: Sent["body"]): Partial<Sent> => ({ body: value });
  const typed = (type: string): Partial<Sent> => ({ body: "x", headers: { "content-type": type } });
  const json = (text: string): Partial<Sent> => ({
    body: text,
    headers: { "content-type": "application/json" },
  });
  const visit = { code: "b", starts_at: "2026-01-02T00:00:00Z", ends_at: "2026-01-01T00:00:00Z" };

  // biome-ignore format: one case a line
  test.each<[string, string, Exclude<Caller, null>, Partial<Sent>, string]>([
    ["an operation that the role has not", "GET /tasks/fetch", "unnamed", {}, "403 PERMISSION_DENIED"],
    ["a write that it has not", "POST /tasks/create", "unnamed", body({ data: {} }), "403 PERMISSION_DENIED"],
    ["a filter by a hidden field", "GET /people/fetch?salary=1", seven, {}, "403 PERMISSION_DENIED salary"],
    ["a hidden field", "GET /people/fetch?select_fields=salary", seven, {}, "403 PERMISSION_DENIED salary"],
    ["a field that may not be written", "POST /people/create", seven, body({ data: { name: "a", badge: "b" } }), "403 PERMISSION_DENIED badge"],
    ["a search of nothing", "GET /docs/search?search_term=a", "admin", {}, "403 PERMISSION_DENIED"],
    ["an unknown parameter", "GET /tasks/fetch?nothing=1", "admin", {}, "400 VALIDATION_ERROR nothing"],
    ["an invalid filter", "GET /tasks/fetch?user=x", "admin", {}, "400 VALIDATION_ERROR user"],
    ["an invalid page", "GET /tasks/fetch?page=0", "admin", {}, "400 VALIDATION_ERROR page"],
    ["a query that cannot be decoded", "GET /tasks/fetch?title=%E0%A4%A", "admin", {}, "400 VALIDATION_ERROR"],
    ["no filter", "GET /tasks/exists", "admin", {}, "400 VALIDATION_ERROR filter"],
    ["a value too large for its column", "GET /tasks/fetch?id=99999999999999999999", "admin", {}, "400 VALIDATION_ERROR id"],
    ["a NUL", "GET /tasks/fetch?title=a%00", "admin", {}, "400 VALIDATION_ERROR"],
    ["no body", "POST /tasks/create", "admin", {}, "400 VALIDATION_ERROR data"],
    ["a body that is no JSON", "POST /tasks/create", "admin", json("{"), "400 VALIDATION_ERROR"],
    ["a body that is a list", "POST /tasks/create", "admin", body([]), "400 VALIDATION_ERROR"],
    ["a body of another shape", "POST /tasks/create", "admin", body({ datum: {} }), "400 VALIDATION_ERROR datum"],
    ["a body that is too large", "POST /tasks/create", "admin", body(Buffer.alloc(100_001, " ")), "413 HTTP_ERROR"],
    ["one that turns out to be", "POST /tasks/create", "admin",
      { body: Buffer.alloc(100_001, " "), chunked: true, headers: { "content-type": "application/json" } }, "413 HTTP_ERROR"],
    ["a body of another type", "POST /tasks/create", "admin", typed("text/plain"), "415 HTTP_ERROR"],
    ["a body of a GET", "GET /tasks/fetch", "admin", typed("text/plain"), "415 HTTP_ERROR"],
    ["a field of another type", "POST /tasks/create", "admin", body({ data: { title: 1 } }), "400 VALIDATION_ERROR title"],
    ["a field that is missing", "POST /tasks/create", "admin", body({ data: { user: 1 } }), "400 VALIDATION_ERROR title"],
    ["no record that is one", "POST /tasks/create", "admin", body({ data: [1] }), "400 VALIDATION_ERROR"],
    ["too many records", "POST /tasks/create", "admin", body({ data: Array(51).fill({}) }), "400 VALIDATION_ERROR data"],
    ["a value that is there", "POST /tasks/create", "admin", body({ data: { title: "one" } }), "400 VALIDATION_ERROR title"],
    ["several that are", "POST /tasks/create", "admin", body({ data: [{ title: "one" }] }), "400 VALIDATION_ERROR"],
    ["a check that fails", "PUT /visits/upsert", "admin", body({ data: visit }), "400 VALIDATION_ERROR ends_at"],
    ["a parent that is not there", "POST /pets/create", "admin", body({ data: { name: "a", owner_id: "0a000000-0000-4000-8000-000000000009" } }),
      "400 VALIDATION_ERROR owner_id"],
    ["a row that others still refer to", "DELETE /owners/destroy", "admin", body({ ids: ["0a000000-0000-4000-8000-000000000001"] }),
      "400 VALIDATION_ERROR"],
    ["a record out of reach", "POST /tasks/create", seven, body({ data: { title: "a", user: 8 } }), "403 PERMISSION_DENIED"],
    ["a row out of reach", "PUT /tasks/update", { role: "user", sub: "8" }, body({ where: { id: 1 }, data: { title: "x" } }),
      "403 PERMISSION_DENIED"],
    ["a row of others over a relation", "DELETE /pets/delete", { role: "user", sub: "8" }, body({ ids: [1] }), "403 PERMISSION_DENIED"],
    ["no such row", "PUT /tasks/update", "admin", body({ where: { id: 9 }, data: { title: "x" } }), "404 NOT_FOUND"],
    ["no such row to remove", "DELETE /tasks/delete", "admin", body({ ids: [9] }), "404 NOT_FOUND"],
  ])("%s", async (_, line, as, rest, expected) => {
    const [refused, told] = await outcomes(line, as, rest);
    expect(refused).toBe(revoked);
    expect(told).toBe(expected);
  });

  const document = (query: string, more: object = {}): Partial<Sent> => ({ body: { query, ...more } });

  // biome-ignore format: one case a line
  test.each<[string, Exclude<Caller, null>, Partial<Sent>, string]>([
    ["an invalid document", "admin", document("{"), "400 VALIDATION_ERROR"],
    ["no document", "admin", { body: {} }, "400 VALIDATION_ERROR"],
    ["no body", "admin", {}, "400 VALIDATION_ERROR"],
    ["a body of another type", "admin", typed("text/plain"), "415 HTTP_ERROR"],
    ["a body that is too large", "admin", body(Buffer.alloc(100_001, " ")), "413 HTTP_ERROR"],
    ["an unknown field", "admin", document("{ nothing }"), "404 NOT_FOUND nothing"],
    ["an unknown operation", "admin", document("{ tasks { id } }", { operationName: "x" }), "400 VALIDATION_ERROR"],
    ["a variable that is missing", "admin", document("query ($a: Int!) { tasks(limit: $a) { id } }"), "400 VALIDATION_ERROR"],
    ["a list that the role has not", "unnamed", document("{ tasks { id } }"), "403 PERMISSION_DENIED"],
    ["a hidden field", seven, document("{ people { salary } }"), "403 PERMISSION_DENIED"],
    ["a mutation that the role has not", "unnamed", document('mutation { createTasks(input: { title: "a" }) { id } }'), "403 PERMISSION_DENIED"],
    ["a value that is there", "admin", document('mutation { createTasks(input: { title: "one" }) { id } }'), "400 VALIDATION_ERROR"],
    ["no such row", "admin", document("mutation { deleteTasks(ids: [9]) { id } }"), "404 NOT_FOUND"],
    ["the second of two that fails", "admin",
      document('mutation { a: createTasks(input: { title: "a" }) { id } b: createTasks(input: { title: "one" }) { id } }'), "400 VALIDATION_ERROR"],
  ])("over GraphQL: %s", async (_, as, rest, expected) => {
    for (const from of [service, bare]) {
      const [refused, told] = await outcomes("POST /graphql", as, rest, from);
      expect(refused).toBe(revoked);
      expect(told).toContain(expected);
    }
  });
});

describe("unknown routes answer as usual", () => {
  test.each([
    ["GET /nothing/fetch", "404 NOT_FOUND"],
    ["GET /tasks/nothing", "404 NOT_FOUND"],
    ["GET /tasks", "404 NOT_FOUND"],
    ["POST /tasks/fetch", "405 HTTP_ERROR"],
    ["GET /tasks/create", "405 HTTP_ERROR"],
    ["DELETE /tasks/destroy/1", "404 NOT_FOUND"],
    ["GET /graphql", "405 HTTP_ERROR"],
    ["PUT /graphql", "405 HTTP_ERROR"],
    ["PUT /open", "405 HTTP_ERROR"],
  ])("%s is %s", async (line, expected) => {
    expect(await outcomes(line, "admin")).toEqual([expected, expected]);
  });
});

describe("other routes", () => {
  test.each([
    ["GET /open", "200"],
    ["GET /staff", "403 PERMISSION_DENIED"],
    ["GET /inside", "200"],
    ["GET /typed/x/y", "400 VALIDATION_ERROR id"],
    ["POST /sent", "400 VALIDATION_ERROR"],
  ])("the app's handler is not called: %s", async (line, expected) => {
    const pair = tokenPair("unnamed");
    await service.store({ auth_token_blacklist: [pair.row] });
    const [method = "", path = ""] = line.split(" ");
    const send = async (token: string) =>
      outcome(await service.send({ method, path, headers: bearer(token) }));
    expect(await send(pair.revoked)).toBe(revoked);
    expect(handlers.seen).toEqual([]);
    expect(await send(pair.good)).toContain(expected);
  });

  test.each([
    ["GET /auth/me", "200"],
    ["GET /auth/api-keys/list", "200"],
    ["POST /auth/api-keys/create", "200"],
    ["GET /admin/rate-limits", "200"],
    ["DELETE /admin/rate-limits/nothing", "404 NOT_FOUND"],
  ])("%s", async (line, expected) => {
    const pair = tokenPair({ role: "admin", sub: "1" });
    await service.store({ ...accounts([account(1, { role: "admin" })]), auth_token_blacklist: [pair.row] });
    const [method = "", path = ""] = line.split(" ");
    const body = method === "POST" ? { body: { name: "a" } } : {};
    const send = async (token: string) =>
      outcome(await service.send({ method, path, ...body, headers: bearer(token) }));
    expect(await send(pair.revoked)).toBe(revoked);
    expect(await countRows(service, "auth_tokens")).toBe(0);
    expect(await send(pair.good)).toBe(expected);
  });

  test("files", async () => {
    const pair = tokenPair({ role: "user", sub: "7" });
    await files.store({ auth_token_blacklist: [pair.row] });
    await files.place({ "a.txt": "hello" });
    for (const { method, path } of storageRoutes) {
      const sent = { method, path: `/storage${path}?path=a.txt`, headers: bearer(pair.revoked) };
      expect(outcome(await files.send(sent)), path).toBe(revoked);
    }
    expect(await files.files()).toEqual({ "a.txt": "hello" });
    const list = { method: "GET", path: "/storage/list", headers: bearer(pair.good) };
    expect(outcome(await files.send(list))).toBe("200");
  });
});
