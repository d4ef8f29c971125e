import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { PasswordQueue } from "#runtime/auth/index";
import { service as fixture } from "../http/fixture/generated/index.ts";
import { stage } from "../http/fixture/stage.ts";
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
