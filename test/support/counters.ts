import { afterAll } from "vitest";
import { connectCache } from "../../runtime/cache/index.ts";
import { createDatabase, loadMigrations } from "../../runtime/database/index.ts";
import { type CounterStore, PostgresWindow, RedisWindow } from "../../runtime/rate-limit/index.ts";
import { service } from "../http/fixture/generated/index.ts";
import { testDatabase } from "./database.ts";
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
  const { url } = await testDatabase(await loadMigrations(service.migrations));
  const database = createDatabase({ url, log: silent });
  afterAll(() => database.close());
  const postgres: TestStore = {
    name: "PostgreSQL",
    isSliding: false,
    open: (now) => new PostgresWindow({ database, log: silent, now }),
  };
  if (!hasRedis) return [postgres];
  const cache = await connectCache((await testRedis()).url, silent);
  afterAll(() => cache.close());
  const redis: TestStore = {
    name: "Redis",
    isSliding: true,
    open: (now) => new RedisWindow(cache.client, now),
  };
  return [postgres, redis];
}
