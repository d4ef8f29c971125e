import pino from "pino";
import { RedisBlacklist } from "#runtime/auth/blacklist/redis-blacklist";
import { connectCache, type Redis } from "#runtime/cache/index";
import { createDatabase, type Database } from "#runtime/database/index";
import { silent } from "../../../support/silent-log.ts";
import { isCurrent } from "./blacklist-table.ts";

/** What one process of a service has: its own connections, and its own blacklist on them. */
export interface Process {
  readonly blacklist: RedisBlacklist;
  readonly redis: Redis;
  readonly database: Database;
  /** Messages so far. */
  readonly log: string[];
  close(): Promise<void>;
}

/** `watch` sees each statement of the blacklist before it runs. */
export async function startProcess(
  redisUrl: string,
  databaseUrl: string,
  watch: (name: string | null) => Promise<void> = async () => {},
): Promise<Process> {
  const log: string[] = [];
  const write = (line: string) => void log.push(JSON.parse(line).msg);
  const cache = await connectCache(redisUrl, silent);
  const database = createDatabase({ url: databaseUrl, maxConnections: 8, log: silent });
  const watched: Database = {
    ...database,
    run: async (statement, values) => {
      await watch(statement.name);
      return database.run(statement, values);
    },
  };
  return {
    blacklist: new RedisBlacklist(cache.client, watched, isCurrent, pino({}, { write })),
    redis: cache.client,
    database,
    log,
    async close() {
      await cache.close();
      await database.close();
    },
  };
}
