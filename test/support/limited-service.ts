import { Redis } from "ioredis";
import { afterAll } from "vitest";
import { connectCache } from "#runtime/core/cache/index";
import { createDatabase } from "#runtime/core/database/index";
import {
  type CounterStore,
  type ModelLimits,
  PostgresWindow,
  RedisWindow,
} from "#runtime/modules/rate-limit/index";
import { service as fixture, service } from "../http/fixture/generated/index.ts";
import { type TestClock, testClock } from "./clock.ts";
import { serviceDatabase } from "./database.ts";
import { hasRedis, type TestRedis, testRedis } from "./redis.ts";
import type { Peers, Settings, TestService } from "./service.ts";
import { silent } from "./silent-log.ts";
import { countedService, type Sent } from "./watched-database.ts";

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
  /** What was sent to the database so far, without what looks up credentials and counts. */
  sent(): Sent;
  /** From here on nothing was counted. */
  forget(): Promise<void>;
}

/** Limits that models have of their own, by model key. */
export type OwnLimits = Readonly<Record<string, ModelLimits>>;

/** The limit of every other route of a limited service, in a minute. */
export const limit = 3;

/** One service for each store of counters; only PostgreSQL without Redis. */
export async function limitedServices(
  settings: Settings = {},
  limits: OwnLimits = {},
): Promise<readonly LimitedService[]> {
  const postgres = await countingInPostgres(settings, limits);
  return hasRedis ? [postgres, await countingInRedis(settings, limits)] : [postgres];
}

/** Settings of a service with that limit, which trusts its tests to say where they come from. */
export function limited({ rateLimit, ...settings }: Settings): Settings {
  const defaults = { enabled: true, defaultMaxRequests: limit, defaultWindowSeconds: 60 };
  return { ...settings, rateLimit: { ...defaults, trustedProxyIps: ["127.0.0.1"], ...rateLimit } };
}

/** The one that counts in PostgreSQL, where the store makes no difference. */
export async function countingInPostgres(
  settings: Settings = {},
  limits: OwnLimits = {},
): Promise<LimitedService> {
  const clock = testClock();
  const service = await watchedService(settings, limits, { now: clock.now });
  const store = new PostgresWindow({ database: service.pool, log: silent, now: clock.now });
  return { ...service, counters: "PostgreSQL", clock, redis: null, ...withStore(store) };
}

async function countingInRedis(settings: Settings, limits: OwnLimits): Promise<LimitedService> {
  const clock = testClock();
  const redis = await testRedis();
  const cache = await connectCache(redis.url, silent);
  afterAll(() => cache.close());
  const service = await watchedService(settings, limits, { now: clock.now, cache });
  return {
    ...service,
    counters: "Redis",
    clock,
    redis,
    ...withStore(new RedisWindow(cache.client, clock.now)),
  };
}

async function watchedService(
  settings: Settings,
  limits: OwnLimits,
  peers: Peers,
): Promise<TestService & Pick<LimitedService, "sent">> {
  const models = fixture.models.map((entry) => ({
    ...entry,
    limits: limits[entry.model.key] ?? entry.limits,
  }));
  const service = await countedService(limited(settings), { ...peers, served: { ...fixture, models } });
  return {
    ...service,
    sent: () => ({
      ...service.sent,
      statements: service.sent.statements.filter((text) => !text.includes("kirak_rate_limits")),
    }),
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

/** A store of counters by its name, with the clock of a test. */
export interface TestStore {
  readonly name: "PostgreSQL" | "Redis";
  readonly isSliding: boolean;
  /** Null: the store's own clock. */
  readonly open: (now: (() => number) | null) => CounterStore;
}

/** Both stores on separate servers, for the calling test file; only PostgreSQL without Redis. */
export async function testStores(): Promise<readonly TestStore[]> {
  const { url } = await serviceDatabase(service);
  const database = createDatabase({ url, log: silent });
  afterAll(() => database.close());
  const postgres: TestStore = {
    name: "PostgreSQL",
    isSliding: false,
    open: (now) => new PostgresWindow({ database, log: silent, now }),
  };
  if (!hasRedis) return [postgres];
  // Not the client of runtime/core/cache: its limit of 300 ms a command is too short for a busy test machine.
  const client = new Redis((await testRedis()).url);
  afterAll(() => client.disconnect());
  const redis: TestStore = { name: "Redis", isSliding: true, open: (now) => new RedisWindow(client, now) };
  return [postgres, redis];
}
