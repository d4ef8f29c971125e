import type { OutgoingHttpHeaders } from "node:http";
import { beforeEach, describe, expect, test } from "vitest";
import { defineLimits } from "#runtime/modules/rate-limit/index";
import { account, accounts, apiKey } from "../../support/accounts.ts";
import { bodyOf } from "../../support/graphql.ts";
import { countingInPostgres, type LimitedService, limitedServices } from "../../support/limited-service.ts";
import { requestOf, type Sent } from "../../support/request.ts";
import { outcome } from "../../support/scenarios.ts";
import type { Caller } from "../../support/service-token.ts";

const one = { maxRequests: 1, windowSeconds: 60 };
const services = await limitedServices(
  {},
  {
    things: defineLimits({
      fetch: { ...one, per: "ip" },
      search: { ...one, per: "user" },
      count: { ...one, per: "model" },
      exists: "off",
      create: { ...one, per: "user" },
      delete: "off",
    }),
    tasks: defineLimits({ fetch: { ...one, maxRequests: 2, per: "user" } }),
    people: defineLimits({
      default: { ...one, per: "user" },
      count: { ...one, per: "model" },
      exists: "off",
    }),
  },
);

interface Counted {
  readonly send: string;
  readonly body?: Sent["body"];
  readonly as?: Caller;
  readonly answers?: string;
  /** Null: not counted. */
  readonly key: string | null;
}

const user: Caller = { role: "user", sub: "42" };
const address = "127.0.0.1";

/** The contract's table of keys. */
// biome-ignore format: one case a line
const requests: readonly Counted[] = [
  { send: "GET /things/fetch", key: `crud:things:fetch:ip:${address}` },
  { send: "GET /things/fetch", as: user, key: `crud:things:fetch:ip:${address}` },
  { send: "GET /things/search?search_term=a", key: `crud:things:search:user:anon:${address}` },
  { send: "GET /things/search?search_term=a", as: user, key: "crud:things:search:user:42" },
  { send: "GET /things/count", key: "crud:things:count" },
  { send: "GET /things/count", as: user, key: "crud:things:count" },
  { send: "GET /things/exists?id=1", key: null },
  { send: "GET /things/exists?id=1", as: user, key: null },
  { send: "POST /things/create", body: {}, answers: "403 PERMISSION_DENIED", key: `crud:things:create:user:anon:${address}` },
  { send: "POST /things/create", body: { data: { string: "a" } }, as: "admin", key: "crud:things:create:user:1" },
  { send: "DELETE /things/delete?id=1", as: "admin", answers: "404 NOT_FOUND", key: null },
  // Without an entry of their own: the default, by address.
  { send: "PUT /things/update", body: { where: { id: 1 }, data: { string: "a" } }, as: "admin", answers: "404 NOT_FOUND",
    key: `crud:things:update:ip:${address}` },
  { send: "PUT /things/upsert", body: { data: {} }, as: "admin", answers: "400 VALIDATION_ERROR data", key: `crud:things:upsert:ip:${address}` },
  { send: "DELETE /things/destroy?id=1", as: "admin", answers: "404 NOT_FOUND", key: `crud:things:destroy:ip:${address}` },
  { send: "PATCH /tasks/restore", body: { where: { id: 1 }, data: { deleted_at: null } }, as: "admin", answers: "404 NOT_FOUND",
    key: `crud:tasks:restore:ip:${address}` },
  { send: "GET /folders/fetch", as: user, key: `crud:folders:fetch:ip:${address}` },
  // The model's own default, where an operation has no entry.
  { send: "GET /people/fetch", as: user, key: "crud:people:fetch:user:42" },
  { send: "GET /people/count", as: user, key: "crud:people:count" },
  { send: "GET /people/exists?id=1", as: user, key: null },
];

describe.each(services)("$counters", (service) => {
  const { redis, counted, forget } = service;
  const send = (line: string, as: Caller = null, rest: Partial<Sent> = {}) => {
    return service.send({ ...requestOf(line), ...rest }, as);
  };
  const fetchTasks = (as: Caller, headers: Sent["headers"] = {}) => send("GET /tasks/fetch", as, { headers });

  beforeEach(async () => {
    await service.store({});
    await forget();
  });

  test.each(requests.map((row) => [`${row.send} as ${JSON.stringify(row.as ?? "guest")}`, row] as const))(
    "%s",
    async (_, { send: line, body, as, answers = "200", key }) => {
      const reply = await send(line, as, { body });
      expect(outcome(reply)).toBe(answers);
      expect(await counted()).toEqual(key === null ? {} : { [key]: 1 });
      expect("x-ratelimit-limit" in reply.headers).toBe(key !== null);
    },
  );

  test("the key has the model's key, not its slug", async () => {
    expect(outcome(await send("GET /strict-things/fetch"))).toBe("200");
    expect(await counted()).toEqual({ [`crud:strict:fetch:ip:${address}`]: 1 });
  });

  test("is the key in the store: in Redis after a prefix of the service", async () => {
    await send("GET /things/search?search_term=a", user);
    const key = "crud:things:search:user:42";
    const stored =
      redis === null
        ? (await service.query("SELECT key FROM kirak_rate_limits")).map((row) => row["key"])
        : await redis.run("KEYS", "kirak:rl:*");
    expect(stored).toEqual([redis === null ? key : `kirak:rl:${key}`]);
  });

  test("operations and models do not share a limit", async () => {
    // biome-ignore format: a list of values
    const lines = [
      "GET /things/fetch", "GET /things/search?search_term=a", "GET /things/count", "GET /folders/fetch",
    ];
    for (const line of lines) expect(outcome(await send(line))).toBe("200");
    const exceeded = await Promise.all(lines.map((line) => send(line)));
    expect(exceeded.map(({ status }) => status)).toEqual([429, 429, 429, 200]);
  });

  test("an operation without a limit counts nothing and sends no headers", async () => {
    for (let times = 0; times < 5; times++) {
      const reply = await send("GET /things/exists?id=1");
      expect(outcome(reply)).toBe("200");
      expect(reply.headers).not.toHaveProperty("x-ratelimit-remaining");
    }
  });

  test("per model: all callers share one counter", async () => {
    expect((await send("GET /things/count", user)).status).toBe(200);
    expect((await send("GET /things/count", "admin")).status).toBe(429);
    expect((await send("GET /things/count", null, { from: "127.0.0.2" })).status).toBe(429);
  });

  test("per ip: all callers of an address share one counter, and other addresses have theirs", async () => {
    expect((await send("GET /things/fetch", user)).status).toBe(200);
    expect((await send("GET /things/fetch", "admin")).status).toBe(429);
    expect((await send("GET /things/fetch")).status).toBe(429);
    expect((await send("GET /things/fetch", null, { from: "127.0.0.2" })).status).toBe(200);
    expect(await counted()).toEqual({
      "crud:things:fetch:ip:127.0.0.1": 1,
      "crud:things:fetch:ip:127.0.0.2": 1,
    });
  });

  test("per user: each user has one counter for all addresses; guests have one counter an address", async () => {
    const search = (as: Caller, from = address) => send("GET /things/search?search_term=a", as, { from });
    const other: Caller = { role: "user", sub: "43" };
    const statuses = [];
    for (const [as, from] of [
      [user],
      [user, "127.0.0.2"],
      [other],
      [null],
      [null],
      [null, "127.0.0.2"],
    ] as const)
      statuses.push((await search(as, from)).status);
    expect(statuses).toEqual([200, 429, 200, 200, 429, 200]);
    // biome-ignore format: a list of values
    expect(Object.keys(await counted()).sort()).toEqual([
      "crud:things:search:user:42", "crud:things:search:user:43", "crud:things:search:user:anon:127.0.0.1", "crud:things:search:user:anon:127.0.0.2",
    ]);
  });

  test("another role, or another token, is the same user", async () => {
    for (const role of ["user", "admin"]) expect((await fetchTasks({ role, sub: "42" })).status).toBe(200);
    expect((await fetchTasks({ role: "admin", sub: "42", email: "other@example.com" })).status).toBe(429);
  });

  test("API keys count as their user, all of them and the user's token", async () => {
    const keys = [apiKey(7), apiKey(7)];
    await service.store(
      accounts(
        [account(7)],
        keys.map(({ row }) => row),
      ),
    );
    for (const { key } of keys) expect(outcome(await fetchTasks(null, { "x-api-key": key }))).toBe("200");
    expect(await counted()).toEqual({ "crud:tasks:fetch:user:7": 2 });
    expect((await fetchTasks({ role: "user", sub: "7" })).status).toBe(429);
    expect((await fetchTasks({ role: "user", sub: "8" })).status).toBe(200);
  });

  test("an id that a store cannot hold unchanged affects no other counter", async () => {
    // Of a token that another program signed with the same secret.
    const ids = ["x".repeat(600), "a\0b", "a\ud800b", "a\ud801b"];
    const search = async (sub: string) =>
      (await send("GET /things/search?search_term=a", { role: "user", sub })).status;
    // Together, so that they are counted in one call.
    expect(await Promise.all([...ids, "44"].map(search))).toEqual(Array(5).fill(200));
    expect(await Promise.all([...ids, "44"].map(search))).toEqual(Array(5).fill(429));
    const keys = Object.keys(await counted());
    expect(keys).toHaveLength(ids.length + 1);
    expect(keys).toContain("crud:things:search:user:44");
    expect(keys.filter((key) => /^crud:things:search:user:sha256:[\da-f]{64}$/.test(key))).toHaveLength(
      ids.length,
    );
  });

  test("who names a guest's counter in a token gets another one", async () => {
    // Only the service signs tokens, but even a signed id like these must not reach the counter of another caller.
    await send("GET /things/search?search_term=a", { role: "user", sub: `anon:${address}` });
    expect((await send("GET /things/search?search_term=a")).status).toBe(200);
    await service.forget();
    await send("GET /things/search?search_term=a", { role: "user", sub: "*" });
    expect(await counted()).toEqual({ "crud:things:search:user:*": 1 });
    expect((await send("GET /things/search?search_term=a", user)).status).toBe(200);
  });
});

const behind = (trustedProxyIps: readonly string[]) => countingInPostgres({ rateLimit: { trustedProxyIps } });

const untrusting = await behind([]);
const elsewhere = await behind(["10.0.0.1", "192.168.0.0/16", "::1"]);
const trusting = await behind(["127.0.0.1"]);
const ranges = await behind(["10.0.0.0/8", "127.0.0.0/30"]);

/** The address that a request is counted by. */
async function addressOf(
  { send, counted, forget }: LimitedService,
  headers: OutgoingHttpHeaders,
  from?: string,
): Promise<string | undefined> {
  await forget();
  const reply = await send({ method: "GET", path: "/things/fetch", headers, from });
  expect(reply.status).toBe(200);
  const keys = Object.keys(await counted());
  expect(keys).toHaveLength(1);
  return keys[0]?.replace("crud:things:fetch:ip:", "");
}

const spoofed: readonly OutgoingHttpHeaders[] = [
  { "x-forwarded-for": "203.0.113.7" },
  { "x-forwarded-for": "203.0.113.7, 10.0.0.1" },
  { "x-real-ip": "203.0.113.7" },
  { forwarded: "for=203.0.113.7" },
  { "true-client-ip": "203.0.113.7", "cf-connecting-ip": "203.0.113.7", "x-client-ip": "203.0.113.7" },
  { "x-forwarded-for": "127.0.0.1", "x-real-ip": "10.0.0.1" },
];

describe("a socket that is no trusted proxy", () => {
  test.each(spoofed)("%j is not believed", async (headers) => {
    for (const service of [untrusting, elsewhere])
      expect(await addressOf(service, headers)).toBe("127.0.0.1");
    expect(await addressOf(trusting, headers, "127.0.0.2")).toBe("127.0.0.2");
    expect(await addressOf(ranges, headers, "127.0.0.4")).toBe("127.0.0.4");
  });

  test("gets no further requests by it", async () => {
    await untrusting.forget();
    const statuses = [];
    for (let at = 0; at < 5; at++) {
      const headers = { "x-forwarded-for": `203.0.113.${at}`, "x-real-ip": `203.0.113.${at}` };
      statuses.push((await untrusting.send({ method: "GET", path: "/things/fetch", headers })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect(await untrusting.counted()).toEqual({ "crud:things:fetch:ip:127.0.0.1": 3 });
  });
});

describe("a trusted proxy", () => {
  // biome-ignore format: many a line
  test.each<[string | undefined, OutgoingHttpHeaders]>([
    ["127.0.0.1", {}],
    ["203.0.113.7", { "x-forwarded-for": "203.0.113.7" }],
    // The leftmost, for any later proxies.
    ["203.0.113.7", { "x-forwarded-for": "203.0.113.7, 198.51.100.1, 127.0.0.1" }],
    ["203.0.113.7", { "x-forwarded-for": "  203.0.113.7 ,198.51.100.1" }],
    ["203.0.113.7", { "x-forwarded-for": ["203.0.113.7", "198.51.100.1"] }],
    ["203.0.113.7", { "x-real-ip": "203.0.113.7" }],
    ["203.0.113.7", { "x-forwarded-for": "203.0.113.7", "x-real-ip": "198.51.100.1" }],
    ["203.0.113.7", { "x-forwarded-for": "203.0.113.7:4711" }],
    ["127.0.0.1", { forwarded: "for=203.0.113.7" }],
    // What is no address is not there.
    ["127.0.0.1", { "x-forwarded-for": "" }],
    ["127.0.0.1", { "x-forwarded-for": "unknown" }],
    ["198.51.100.1", { "x-forwarded-for": "unknown, 198.51.100.1" }],
    ["198.51.100.1", { "x-forwarded-for": "unknown", "x-real-ip": "198.51.100.1" }],
    ...[
      "1.2.3", "1.2.3.256", "01.2.3.4", "0x7f.1", "2130706433", "1.2.3.4/24", "*", "a:b", "user:1", "1.2.3.4:x", "::1%eth0", ":::1", "g::1",
      "localhost",
      "x".repeat(5000),
    ].map((text): [string, OutgoingHttpHeaders] => [
      "127.0.0.1",
      { "x-forwarded-for": text, "x-real-ip": text },
    ]),
    // One network for each client, in one spelling.
    ...[
      "2001:db8::1", "2001:DB8::1", "2001:0db8:0000:0000:0000:0000:0000:0001", "2001:db8:0:0::1", "[2001:db8::1]", "[2001:db8::1]:4711",
      "2001:db8::ffff:ffff:ffff:ffff",
    ].map((text): [string, OutgoingHttpHeaders] => ["2001:db8::/64", { "x-forwarded-for": text }]),
    ["2001:db8:1:2::/64", { "x-forwarded-for": "2001:db8:1:2:3:4:5:6" }],
    ["2001:db8:1:3::/64", { "x-forwarded-for": "2001:db8:1:3:3:4:5:6" }],
    ["::/64", { "x-forwarded-for": "::1" }],
    ["::/64", { "x-forwarded-for": "::203.0.113.7" }],
    ...[
      "203.0.113.7", "::ffff:203.0.113.7", "::FFFF:203.0.113.7", "::ffff:cb00:7107", "0:0:0:0:0:ffff:cb00:7107",
    ].map((text): [string, OutgoingHttpHeaders] => ["203.0.113.7", { "x-forwarded-for": text }]),
  ])("%s for %j", async (address, headers) => {
    expect(await addressOf(trusting, headers)).toBe(address);
    expect(await addressOf(ranges, headers, "127.0.0.1")).toBe(address);
  });

  test("may be the last one of its range", async () => {
    expect(await addressOf(ranges, { "x-forwarded-for": "203.0.113.7" }, "127.0.0.3")).toBe("203.0.113.7");
  });

  test("brings each client to a counter of its own", async () => {
    const { send, counted, forget } = trusting;
    await forget();
    const statuses = [];
    // biome-ignore format: many a line
    for (const client of [
      "203.0.113.7", "203.0.113.8", "203.0.113.7", "::ffff:203.0.113.7", "203.0.113.7:80",
    ]) {
      const headers = { "x-forwarded-for": client };
      statuses.push((await send({ method: "GET", path: "/things/fetch", headers })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
    expect(await counted()).toEqual({
      "crud:things:fetch:ip:203.0.113.7": 3,
      "crud:things:fetch:ip:203.0.113.8": 1,
    });
  });

  test("over GraphQL too", async () => {
    const { send, counted, forget } = trusting;
    await forget();
    const headers = { "x-forwarded-for": "2001:DB8::1" };
    await send({ method: "POST", path: "/graphql", headers, body: bodyOf("{ things { id } }") });
    expect(await counted()).toEqual({ "crud:things:fetch:ip:2001:db8::/64": 1 });
  });

  test.each([
    [32, "2001:db8::/32"],
    [48, "2001:db8:1::/48"],
    [56, "2001:db8:1:200::/56"],
    [127, "2001:db8:1:2ff::6/127"],
    [128, "2001:db8:1:2ff::7/128"],
  ])("with rate_limit.ipv6_prefix %i", async (ipv6Prefix, network) => {
    const service = await countingInPostgres({ rateLimit: { ipv6Prefix } });
    expect(await addressOf(service, { "x-forwarded-for": "2001:db8:1:2ff::7" })).toBe(network);
    expect(await addressOf(service, { "x-forwarded-for": "::ffff:203.0.113.7" })).toBe("203.0.113.7");
  });

  test("administrators see and reset the counter of a network", async () => {
    const { send, forget } = trusting;
    await forget();
    for (const host of ["1", "2", "3", "4"])
      await send({ ...requestOf("GET /things/fetch"), headers: { "x-forwarded-for": `2001:db8::${host}` } });
    const path = "/admin/rate-limits/crud:things:fetch:ip:2001:db8::%2F64";
    const counter = await send({ method: "GET", path }, "admin");
    expect(counter.envelope.data).toMatchObject({ key: "crud:things:fetch:ip:2001:db8::/64", count: 3 });
    expect((await send({ method: "DELETE", path }, "admin")).status).toBe(200);
  });
});
