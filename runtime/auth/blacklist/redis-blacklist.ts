import type { Logger } from "pino";
import { plainError, type Redis } from "../../cache/index.ts";
import { withTimeout } from "../../concurrency/index.ts";
import type { Database, Queryable } from "../../database/index.ts";
import {
  accountEntry,
  type Blacklist,
  type BlacklistEntry,
  type IsCurrent,
  type LookedUp,
  unavailable,
} from "./blacklist.ts";
import { entryKey, fill, readyKey } from "./fill.ts";
import { PostgresBlacklist } from "./postgres-blacklist.ts";

/** The entry that a token has. */
type Found = "token" | "account" | "nothing";

/** How long a request waits for a fill. It goes on without that request, which is told to come back. */
const fillWaitMs = 300;

/**
 * The blacklist of a service with Redis: keys that expire with their tokens, and the table as their source. A Redis that
 * may have lost keys is filled from the table before it is believed (decisions, part 7).
 */
export class RedisBlacklist implements Blacklist {
  readonly #redis: Redis;
  readonly #database: Database;
  readonly #log: Logger;
  readonly #table: PostgresBlacklist;
  #redisId: Promise<string> | null = null;
  #filling: Promise<void> | null = null;
  #isFillFailing = false;

  constructor(redis: Redis, database: Database, isCurrent: IsCurrent, log: Logger) {
    this.#redis = redis;
    this.#database = database;
    this.#log = log;
    this.#table = new PostgresBlacklist(database, isCurrent);
    // The next connection may lead to another server, or to the same one after a restart.
    redis.on("close", () => {
      this.#redisId = null;
    });
  }

  async has(token: LookedUp, connection?: Queryable): Promise<boolean> {
    if (connection !== undefined) return this.#table.has(token, connection);
    const found = await this.#find(token).catch((error: unknown) => {
      throw unavailable(plainError(error));
    });
    // Only the table knows which credentials the account has now.
    return found === "account" ? this.#table.has(token) : found === "token";
  }

  knows(): boolean {
    return false;
  }

  /** In a transaction the key is there before the commit; should that fail, the token is revoked all the same. */
  async add(entry: BlacklistEntry, connection?: Queryable): Promise<void> {
    // The table first: `fill` tells why nothing is lost in this order, whatever happens to Redis.
    await this.#table.add(entry, connection);
    const lifetimeMs = entry.exp * 1000 - Date.now();
    if (lifetimeMs <= 0) return;
    try {
      await this.#redis.set(entryKey(entry.jti), "1", "PX", lifetimeMs);
    } catch (error) {
      throw unavailable(plainError(error));
    }
  }

  async #find(token: LookedUp): Promise<Found> {
    const known = await this.#look(token);
    if (known !== null) return known;
    await withTimeout(this.#filled(), fillWaitMs, "Redis is being filled from the table of the blacklist");
    const filled = await this.#look(token);
    if (filled === null) throw new Error("Redis was emptied right after it was filled");
    return filled;
  }

  /** Null when Redis cannot tell, since it was not filled from the table. */
  async #look({ jti, sub }: LookedUp): Promise<Found | null> {
    const id = await this.#id();
    const keys = [jti, accountEntry(sub)].map(entryKey);
    const [ready, own, account] = await this.#redis.mget(readyKey, ...keys);
    if (own !== null) return "token";
    if (account !== null) return "account";
    return ready === id ? "nothing" : null;
  }

  /** What the connection leads to, asked once a connection. */
  #id(): Promise<string> {
    this.#redisId ??= this.#redis.info().then(
      (info) => this.#identify(info),
      (error: unknown) => {
        this.#redisId = null;
        throw error;
      },
    );
    return this.#redisId;
  }

  #identify(info: string): string {
    if (mayEvict(info))
      this.#log.warn(
        "Redis may evict revoked tokens, which are good again then: its maxmemory-policy must be noeviction",
      );
    return identityOf(info);
  }

  /** One fill at a time in a process. */
  #filled(): Promise<void> {
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = null;
    });
    return this.#filling;
  }

  async #fill(): Promise<void> {
    try {
      const count = await fill(this.#redis, this.#database, () => this.#id());
      this.#log.info({ count }, "the blacklist of tokens was copied to Redis");
      this.#isFillFailing = false;
    } catch (error) {
      // Nobody may be waiting for it any more; and while the cause lasts, each request tries again.
      if (!this.#isFillFailing)
        this.#log.warn({ err: plainError(error) }, "the blacklist of tokens cannot be copied to Redis");
      this.#isFillFailing = true;
      throw error;
    }
  }
}

/**
 * The id that a Redis takes anew at each start, and the one that it takes when it becomes a primary, out of its `INFO`. The
 * sentinel holds them: it says nothing of a Redis that began again with an old snapshot, nor of a replica that took over,
 * since both may lack the newest keys.
 */
function identityOf(info: string): string {
  return `${fieldOf(info, "run_id")}:${fieldOf(info, "master_replid")}`;
}

/** Whether it makes room by dropping keys. */
function mayEvict(info: string): boolean {
  const policy = fieldOf(info, "maxmemory_policy");
  return policy !== "" && policy !== "noeviction" && fieldOf(info, "maxmemory") !== "0";
}

function fieldOf(info: string, field: string): string {
  return new RegExp(`^${field}:(\\S*)`, "m").exec(info)?.[1] ?? "";
}
