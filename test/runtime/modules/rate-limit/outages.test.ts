import { afterAll, describe, expect, test, vi } from "vitest";
import { connectCache } from "#runtime/core/cache/index";
import type { Statement } from "#runtime/core/database/index";
import { connectCounters } from "#runtime/modules/rate-limit/index";
import { service as fixture } from "../../../http/fixture/generated/index.ts";
import { serviceDatabase } from "../../../support/database.ts";
import { proxyTo, type TestProxy } from "../../../support/proxy.ts";
import { hasRedis, testRedis } from "../../../support/redis.ts";
import type { Reply } from "../../../support/request.ts";
import { type Settings, type TestService, testService } from "../../../support/service.ts";
import { silent } from "../../../support/silent-log.ts";
import { sendTraffic } from "../../../support/traffic.ts";
import { watchedDatabase } from "../../../support/watched-database.ts";

vi.setConfig({ testTimeout: 30_000 });

const limit = 20;
const limits: Settings = {
  rateLimit: { enabled: true, defaultMaxRequests: limit, defaultWindowSeconds: 600, longestWaitMs: 300 },
};

/** More than requests would come to in the time of `waitFor`, if each of them waited for the store. */
const many = 400;
const patience = { timeout: 10_000, interval: 20 };

const isCounted = ({ headers }: Reply) => headers["x-ratelimit-limit"] !== undefined;
const warnings = ({ log }: TestService) =>
  log.filter(({ msg }) => /^rate limits cannot be/.test(String(msg)));
const recoveries = ({ log }: TestService) => log.filter(({ msg }) => msg === "rate limits are counted again");

interface Outage {
  readonly begin: () => unknown;
  readonly end: () => unknown;
  /** How many requests pass before it may end; default `many`. */
  readonly passed?: number;
  /** Whether counters are gone with it. */
  readonly forgets?: boolean;
}

/** Sends requests all the time: the limit holds, then the store is away, then the limit holds again. */
async function goThrough(
  service: TestService,
  path: string,
  { begin, end, passed: least = many, forgets = false }: Outage,
): Promise<readonly Reply[]> {
  const before = { warnings: warnings(service).length, recoveries: recoveries(service).length };
  const seen: Reply[] = [];
  const traffic = sendTraffic(service.origin, { method: "GET", path });
  const waitUntil = (check: (replies: readonly Reply[]) => void) => {
    const replies: Reply[] = [];
    return vi.waitFor(() => {
      const latest = traffic.look();
      seen.push(...latest);
      replies.push(...latest);
      check(replies);
    }, patience);
  };
  await waitUntil((replies) =>
    expect(replies.filter(({ status }) => status === 429).length).toBeGreaterThan(many / 10),
  );
  await begin();
  await waitUntil((replies) =>
    expect(replies.filter((reply) => !isCounted(reply)).length).toBeGreaterThan(least),
  );
  await end();
  await waitUntil(() => expect(recoveries(service)).toHaveLength(before.recoveries + 1));
  await waitUntil((replies) =>
    expect(replies.filter(({ status }) => status === 429).length).toBeGreaterThan(many / 10),
  );
  seen.push(...(await traffic.stop()));
  expect(warnings(service)).toHaveLength(before.warnings + 1);
  // Nothing of callers, and no secrets.
  expect(JSON.stringify(warnings(service))).not.toMatch(/crud:|:ip:|postgres:|redis:/);
  expect(recoveries(service)).toHaveLength(before.recoveries + 1);
  const passed = seen.filter((reply) => isCounted(reply) && reply.status !== 429);
  // The trial that found the store again was one of those that it counts now.
  expect(passed).toHaveLength(forgets ? limit + limit - 1 : limit);
  return seen;
}

/** Counters in a database that can be cut off. */
async function countersOfTheirOwn() {
  const { url, query } = await serviceDatabase(fixture);
  const way = await proxyTo(url);
  const counting = await connectCounters({ url: way.url, log: silent });
  afterAll(() => counting.close());
  return { way, counting, query };
}

const statuses = (replies: readonly Reply[]) => [...new Set(replies.map(({ status }) => status))].sort();

describe.skipIf(!hasRedis)("counters in Redis", async () => {
  if (!hasRedis) return;
  const redis = await testRedis();
  const cache = await connectCache(redis.url, silent);
  afterAll(() => cache.close());
  const service = await testService(limits, { cache });

  test("it is killed and comes back empty", async () => {
    const outage = { begin: redis.kill, end: redis.start, forgets: true };
    expect(statuses(await goThrough(service, "/things/count", outage))).toEqual([200, 429]);
  });

  test("it stops answering, and goes on later", async () => {
    const outage = { begin: redis.pause, end: redis.resume };
    expect(statuses(await goThrough(service, "/things/fetch", outage))).toEqual([200, 429]);
  });
});

describe("counters in PostgreSQL", async () => {
  const { way, counting, query } = await countersOfTheirOwn();
  /** That requests ran. */
  const statements: Statement[] = [];
  const service = await testService(limits, {
    counting,
    watch: (database) =>
      watchedDatabase(database, (connection) => (statement, values) => {
        statements.push(statement);
        return connection.run(statement, values);
      }),
  });

  test("their connection breaks, and none can be made for a while", async () => {
    const outage = { begin: way.cut, end: way.mend };
    expect(statuses(await goThrough(service, "/things/count", outage))).toEqual([200, 429]);
  });

  test("their connection stalls without an error", async () => {
    const outage = { begin: way.stall, end: () => {}, passed: 50 };
    expect(statuses(await goThrough(service, "/folders/count", outage))).toEqual([200, 429]);
  });

  test("their table is locked for a while", async () => {
    const outage = { begin: () => query("BEGIN; LOCK TABLE kirak_rate_limits"), end: () => query("COMMIT") };
    expect(statuses(await goThrough(service, "/things/fetch", outage))).toEqual([200, 429]);
  });

  test("slow requests that take all connections hold up no counter", async () => {
    await service.query("BEGIN; LOCK TABLE line_items");
    // Of two callers: a single one gets no more than half of the connections.
    const slow = Array.from({ length: 16 }, (_, at) =>
      service.send({ method: "GET", path: "/line_items/count" }, at % 2 === 0 ? "user" : null),
    );
    const waiting =
      "SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND relation = 'line_items'::regclass";
    await vi.waitFor(async () => expect(await service.query(waiting)).toEqual([{ n: 10 }]), patience);
    // Refused after it was counted, before it needs a connection.
    const { status, headers } = await service.send({ method: "GET", path: "/line_items/fetch?limit=0" });
    expect([status, headers["x-ratelimit-remaining"]]).toEqual([400, String(limit - 1)]);
    await service.query("COMMIT");
    const replies = await Promise.all(slow);
    expect(statuses(replies)).toEqual([200]);
    expect(replies.every(isCounted)).toBe(true);
    expect(statements.filter(({ text }) => text.includes("kirak_rate_limits"))).toEqual([]);
  });
});

describe("the whole database", async () => {
  const counters = await countersOfTheirOwn();
  let way: TestProxy | undefined;
  const service = await testService(limits, {
    async reach(url) {
      way = await proxyTo(url);
      return way.url;
    },
    counting: counters.counting,
  });
  const outage = {
    begin() {
      way?.cut();
      counters.way.cut();
    },
    end() {
      way?.mend();
      counters.way.mend();
    },
  };

  test("a request that needs nothing of it but the limit fares as ever", async () => {
    expect(statuses(await goThrough(service, "/things/fetch?limit=0", outage))).toEqual([400, 429]);
  });

  test("of others it is their own statements that fail", async () => {
    expect(statuses(await goThrough(service, "/things/count", outage))).toEqual([200, 429, 500]);
    const failed = service.log.filter(({ status }) => status === 500);
    expect(JSON.stringify(failed)).not.toContain("rate-limit");
  });
});
