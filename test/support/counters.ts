import { Redis } from "ioredis";
import { afterAll } from "vitest";
import { createDatabase } from "#runtime/database/index";
import { type CounterStore, PostgresWindow, RedisWindow } from "#runtime/rate-limit/index";
import { service } from "../http/fixture/generated/index.ts";
import { serviceDatabase } from "./database.ts";
import { hasRedis, testRedis } from "./redis.ts";
import { silent } from "./silent-log.ts";

/** A store of counters by its name, with the clock of a test. */
export interface TestStore {
  readonly name: "PostgreSQL" | "Redis";
  readonly isSliding: boolean;
  /** Null: the store's own clock. */
  readonly open: (now: (() => number) | null) => CounterStore;
}

/** Both stores on servers of their own, for the calling test file; PostgreSQL alone where there is no Redis. */
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
  // Not by the door of runtime/cache: its commands have 300 ms, and a machine that runs tests may need longer.
  const client = new Redis((await testRedis()).url);
  afterAll(() => client.disconnect());
  const redis: TestStore = { name: "Redis", isSliding: true, open: (now) => new RedisWindow(client, now) };
  return [postgres, redis];
}
