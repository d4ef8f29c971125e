import { beforeEach, describe, expect, test } from "vitest";
import { defineLimits } from "#runtime/rate-limit/index";
import { account, accounts, apiKey } from "../../support/accounts.ts";
import { limitedServices } from "../../support/limited-service.ts";
import type { Sent } from "../../support/request.ts";
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
    const [method = "", path = ""] = line.split(" ");
    return service.send({ method, path, ...rest }, as);
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

  test("is what stands in the store: in Redis behind a prefix of the service", async () => {
    await send("GET /things/search?search_term=a", user);
    const key = "crud:things:search:user:42";
    const stored =
      redis === null
        ? (await service.query("SELECT key FROM kirak_rate_limits")).map((row) => row["key"])
        : await redis.run("KEYS", "kirak:rl:*");
    expect(stored).toEqual([redis === null ? key : `kirak:rl:${key}`]);
  });

  test("operations and models do not share a limit", async () => {
    const lines = [
      "GET /things/fetch",
      "GET /things/search?search_term=a",
      "GET /things/count",
      "GET /folders/fetch",
    ];
    for (const line of lines) expect(outcome(await send(line))).toBe("200");
    const exceeded = await Promise.all(lines.map((line) => send(line)));
    expect(exceeded.map(({ status }) => status)).toEqual([429, 429, 429, 200]);
  });

  test("without a limit there is none", async () => {
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

  test("per user: users have a counter each, from wherever they come; guests have one for each address", async () => {
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
    expect(Object.keys(await counted()).sort()).toEqual([
      "crud:things:search:user:42",
      "crud:things:search:user:43",
      "crud:things:search:user:anon:127.0.0.1",
      "crud:things:search:user:anon:127.0.0.2",
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

  test("an id that no store takes as it is spoils the count of nobody", async () => {
    // Of a token that somebody else signed with the same secret.
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
    // Only the service signs tokens; still nobody's counter is reached by an id such as these.
    await send("GET /things/search?search_term=a", { role: "user", sub: `anon:${address}` });
    expect((await send("GET /things/search?search_term=a")).status).toBe(200);
    await service.forget();
    await send("GET /things/search?search_term=a", { role: "user", sub: "*" });
    expect(await counted()).toEqual({ "crud:things:search:user:*": 1 });
    expect((await send("GET /things/search?search_term=a", user)).status).toBe(200);
  });
});
