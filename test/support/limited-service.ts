import { afterAll } from "vitest";
import { connectCache } from "../../runtime/cache/index.ts";
import { type CounterStore, PostgresWindow, RedisWindow } from "../../runtime/rate-limit/index.ts";
import { type TestClock, testClock } from "./clock.ts";
import { hasRedis, type TestRedis, testRedis } from "./redis.ts";
import { type Settings, type TestService, testService } from "./service.ts";
import { silent } from "./silent-log.ts";

/** A service that counts requests. It sees the address that a test names in `X-Forwarded-For`. */
export interface LimitedService extends TestService {
  readonly counters: "PostgreSQL" | "Redis";
  /** Of accounts and windows: nothing expires unless a test lets time pass. */
  readonly clock: TestClock;
  /** Null where it counts in PostgreSQL. */
  readonly redis: TestRedis | null;
  /** Where it counts. */
  readonly window: CounterStore;
  /** What is counted, by key. */
  counted(): Promise<Readonly<Record<string, number>>>;
  /** From here on nothing was counted. */
  forget(): Promise<void>;
}

/** The limit of every route of a limited service, in a minute. */
export const limit = 3;

/** One service for each store of counters; PostgreSQL alone where there is no Redis. */
export async function limitedServices(settings: Settings = {}): Promise<readonly LimitedService[]> {
  const postgres = await countingInPostgres(settings);
  return hasRedis ? [postgres, await countingInRedis(settings)] : [postgres];
}

/** Settings of a service with that limit, which trusts its tests to say where they come from. */
export function limited({ rateLimit, ...settings }: Settings): Settings {
  const defaults = { enabled: true, defaultMaxRequests: limit, defaultWindowSeconds: 60 };
  return { ...settings, rateLimit: { ...defaults, trustedProxyIps: ["127.0.0.1"], ...rateLimit } };
}

async function countingInPostgres(settings: Settings): Promise<LimitedService> {
  const clock = testClock();
  const service = await testService(limited(settings), { now: clock.now });
  const store = new PostgresWindow({ database: service.pool, log: silent, now: clock.now });
  return { ...service, counters: "PostgreSQL", clock, redis: null, ...withStore(store) };
}

async function countingInRedis(settings: Settings): Promise<LimitedService> {
  const clock = testClock();
  const redis = await testRedis();
  const cache = await connectCache(redis.url, silent);
  afterAll(() => cache.close());
  const service = await testService(limited(settings), { now: clock.now, cache });
  return {
    ...service,
    counters: "Redis",
    clock,
    redis,
    ...withStore(new RedisWindow(cache.client, clock.now)),
  };
}

function withStore(window: CounterStore): Pick<LimitedService, "window" | "counted" | "forget"> {
  return {
    window,
    async counted() {
      const counters = await window.list("", 1000);
      return Object.fromEntries(counters.map(({ key, count }) => [key, count]));
    },
    async forget() {
      for (const { key } of await window.list("", 1000)) await window.reset(key);
    },
  };
}

/** Counts requests under each of these keys; of an hour's, five pass. */
export async function fill(window: CounterStore, keys: readonly string[], requests = 1): Promise<void> {
  const five = { maxRequests: 5, windowSeconds: 3600 };
  await window.count(keys.map((key) => ({ key, requests, limit: five })));
}
