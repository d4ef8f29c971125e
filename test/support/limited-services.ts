import { afterAll } from "vitest";
import { connectCache } from "../../runtime/cache/index.ts";
import type { ModelLimits } from "../../runtime/rate-limit/index.ts";
import { service as fixture } from "../http/fixture/generated/index.ts";
import { type TestClock, testClock } from "./clock.ts";
import { countingDatabase, type Sent } from "./graphql-statements.ts";
import { hasRedis, type TestRedis, testRedis } from "./redis.ts";
import { type Peers, type Settings, type TestService, testService } from "./service.ts";
import { silent } from "./silent-log.ts";

/** A service with limits, whose counters are in one of the stores. */
export interface LimitedService {
  readonly name: "PostgreSQL" | "Redis";
  readonly service: TestService;
  /** Of accounts and counters. */
  readonly clock: TestClock;
  /** Requests that were let through, by key, as they stand in the store. */
  counters(): Promise<Readonly<Record<string, number>>>;
  /** What was sent to the database, without what looks up credentials and counts. */
  sent(): Sent;
  /** Removes all counters, and what was sent so far. */
  forget(): Promise<void>;
}

/** What a service with limits is made of. */
export interface Limited extends Omit<Peers, "watch"> {
  readonly settings?: Settings;
  /** Limits that models have of their own, by model key. */
  readonly limits?: Readonly<Record<string, ModelLimits>>;
}

/**
 * The fixture's service with limits, once for each store; PostgreSQL alone where there is no Redis. Ended after the test
 * file. Unless `settings` say otherwise there are 3 requests a minute.
 */
export async function limitedServices(limited: Limited = {}): Promise<readonly LimitedService[]> {
  const postgres = await limitedService(limited);
  return hasRedis ? [postgres, await onRedis(limited)] : [postgres];
}

/** The same on PostgreSQL alone, where the store makes no difference. */
export async function limitedService(limited: Limited): Promise<LimitedService> {
  const { service, clock, sent, clear } = await start(limited);
  return {
    name: "PostgreSQL",
    service,
    clock,
    sent,
    async counters() {
      const rows = await service.query(
        "SELECT key, least(count, max_requests) AS count FROM kirak_rate_limits",
      );
      return Object.fromEntries(rows.map(({ key, count }) => [key, count]));
    },
    async forget() {
      await service.query("DELETE FROM kirak_rate_limits");
      clear();
    },
  };
}

async function onRedis(limited: Limited): Promise<LimitedService> {
  const redis = await testRedis();
  const cache = await connectCache(redis.url, silent);
  afterAll(() => cache.close());
  const { service, clock, sent, clear } = await start({ ...limited, cache });
  return {
    name: "Redis",
    service,
    clock,
    sent,
    counters: () => countersIn(redis),
    async forget() {
      await redis.run("FLUSHALL");
      clear();
    },
  };
}

async function start({ settings, limits = {}, ...peers }: Limited) {
  const clock = testClock();
  let sent: Sent = { statements: [], transactions: 0 };
  const models = fixture.models.map((entry) => ({
    ...entry,
    limits: limits[entry.model.key] ?? entry.limits,
  }));
  const rateLimit = {
    enabled: true,
    defaultMaxRequests: 3,
    defaultWindowSeconds: 60,
    ...settings?.rateLimit,
  };
  const service = await testService(
    { ...settings, rateLimit },
    {
      served: { ...fixture, models },
      now: clock.now,
      ...peers,
      watch(database) {
        const counting = countingDatabase(database);
        sent = counting.sent;
        return counting.database;
      },
    },
  );
  return {
    service,
    clock,
    sent: () => ({
      ...sent,
      statements: sent.statements.filter((text) => !text.includes("kirak_rate_limits")),
    }),
    clear: () => void Object.assign(sent, { statements: [], transactions: 0 }),
  };
}

/** The lists of runtime/rate-limit/sliding-window.ts: the first entry has what was counted before, the last one what until then. */
async function countersIn(redis: TestRedis): Promise<Record<string, number>> {
  const keys = [await redis.run("KEYS", "kirak:rl:*")].flat().map(String);
  const entries = keys.map(async (key) => {
    const list = [await redis.run("LRANGE", key, 0, -1)].flat().map(String);
    const [before] = (list[0] ?? "").split(" ");
    const [, counted] = (list.at(-1) ?? "").split(":");
    return [key.replace("kirak:rl:", ""), Number(counted) - Number(before)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
