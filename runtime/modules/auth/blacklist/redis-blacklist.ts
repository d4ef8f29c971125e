import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { plainError, type Redis } from "../../../core/cache/index.ts";
import { withTimeout } from "../../../core/concurrency/index.ts";
import type { Database, Queryable } from "../../../core/database/index.ts";
import {
  accountEntry,
  type Blacklist,
  type BlacklistEntry,
  type IsCurrent,
  ownEntries,
  PostgresBlacklist,
  revocations,
  type TokenLookupClaims,
  unavailable,
} from "./blacklist.ts";

/**
 * The sentinel: the id of the Redis that was filled from the table. It is missing if Redis was emptied since
 * then.
 */
const readyKey = "kirak:blacklist:ready";

/** A key that exists while the token is revoked, and expires with the token. */
function entryKey(jti: string): string {
  return `kirak:blacklist:${jti}`;
}

const batchSize = 500;
const maxAttempts = 3;
/** Longer than a batch takes. Each batch restarts the lifetime. */
const markLifeMs = 30_000;

/** Waits until all transactions that are revoking a token have ended. Later ones wait for this statement. */
const barrier = { name: null, text: `select pg_advisory_xact_lock(${revocations})` };

/** Ordered by expiry and not by id, so that the index skips expired rows that were not purged yet. */
const nextBatch = {
  name: "kirak_auth_blacklist_fill",
  text: `select id, expires_at, jti, ceil(extract(epoch from expires_at - now()) * 1000)::bigint
from auth_token_blacklist
where expires_at > now() and expires_at >= $1 and (expires_at, id) > ($1, $2)
order by expires_at, id limit ${batchSize}`,
};

/**
 * Stores entries if the mark of the fill still exists. KEYS: the mark, entries; ARGV: their lifetimes in ms.
 */
const storeScript = `
if redis.call('PEXPIRE', KEYS[1], ARGV[1]) == 0 then return 0 end
for i = 2, #KEYS do redis.call('SET', KEYS[i], '1', 'PX', ARGV[i]) end
return 1`;

/**
 * Sets the sentinel if the mark of the fill still exists. KEYS: the mark, the sentinel; ARGV: the id of
 * Redis.
 */
const finishScript = `
if redis.call('DEL', KEYS[1]) == 0 then return 0 end
redis.call('SET', KEYS[2], ARGV[1])
return 1`;

/**
 * Copies the blacklist from the table to Redis, and sets the sentinel to the id of that Redis. Returns the
 * number of entries. Any number of processes can do so at once.
 *
 * No reported revocation is lost. `add` writes the row before the key, and shares the barrier's lock until
 * its transaction ends.
 * - A transaction that had the lock before the barrier has ended after it, so the fill reads its committed
 *   rows. Without the barrier, the fill could miss an uncommitted row whose key was lost when Redis was
 *   emptied.
 * - A transaction that gets the lock later sets its key after the mark. A flush that removes the key also
 *   removes the mark or the sentinel, so another fill follows.
 */
async function fill(redis: Redis, database: Database, idOfRedis: () => Promise<string>): Promise<number> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const count = await tryToFill(redis, database, idOfRedis);
    if (count !== null) return count;
  }
  throw new Error("Redis was emptied repeatedly while the blacklist was copied to it");
}

/** Returns null if Redis was emptied during the copy, or is another Redis. */
async function tryToFill(
  redis: Redis,
  database: Database,
  idOfRedis: () => Promise<string>,
): Promise<number | null> {
  const id = await idOfRedis();
  const mark = `kirak:blacklist:fill:${randomUUID()}`;
  await redis.set(mark, "1", "PX", markLifeMs);
  await database.run(barrier, []);
  let count = 0;
  for await (const batch of batches(database)) {
    const keys = batch.map(({ jti }) => entryKey(jti));
    const lifetimes = batch.map(({ lifetimeMs }) => lifetimeMs);
    const stored = await redis.eval(storeScript, keys.length + 1, mark, ...keys, markLifeMs, ...lifetimes);
    if (stored !== 1) return null;
    count += batch.length;
  }
  if ((await idOfRedis()) !== id) return null;
  return (await redis.eval(finishScript, 2, mark, readyKey, id)) === 1 ? count : null;
}

interface Entry {
  readonly jti: string;
  readonly lifetimeMs: string;
}

async function* batches(database: Database): AsyncGenerator<readonly Entry[]> {
  let after: readonly (string | null | undefined)[] = ["-infinity", "0"];
  for (;;) {
    const rows = await database.run(nextBatch, after);
    if (rows.length === 0) return;
    yield rows.map(([, , jti, lifetimeMs]) => ({ jti: jti ?? "", lifetimeMs: lifetimeMs ?? "" }));
    const [id, expiresAt] = rows.at(-1) ?? [];
    after = [expiresAt, id];
  }
}

/** The entry that was found for a token or its account. */
type Found = "token" | "account" | "nothing";

/** How long a request waits for a fill. After that the fill continues, and the client has to retry. */
const fillWaitMs = 300;

/**
 * The blacklist of a service with Redis: keys that expire with their tokens. The table is their source. If
 * Redis can have lost keys, it is filled from the table before it is used.
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
    // The next connection can lead to another server, or to the same one after a restart.
    redis.on("close", () => {
      this.#redisId = null;
    });
  }

  async has(token: TokenLookupClaims, connection?: Queryable): Promise<boolean> {
    if (connection !== undefined) return this.#table.has(token, connection);
    const found = await this.#find(token).catch((error: unknown) => {
      throw unavailable(plainError(error));
    });
    // Only the table has the current credentials of the account.
    return found === "account" ? this.#table.has(token) : found === "token";
  }

  knows(): boolean {
    return false;
  }

  /**
   * In a transaction, the key is set before the commit. If the commit fails, the token stays revoked in
   * Redis.
   */
  async add(entries: readonly BlacklistEntry[], connection?: Queryable): Promise<void> {
    // The table comes first: `fill` explains why this order loses nothing, even if Redis fails.
    await this.#table.add(entries, connection);
    const keys = entries.flatMap(({ jti, exp }) => {
      const lifetimeMs = exp * 1000 - Date.now();
      return lifetimeMs > 0 ? [{ key: entryKey(jti), lifetimeMs }] : [];
    });
    try {
      await Promise.all(keys.map(({ key, lifetimeMs }) => this.#redis.set(key, "1", "PX", lifetimeMs)));
    } catch (error) {
      throw unavailable(plainError(error));
    }
  }

  async #find(token: TokenLookupClaims): Promise<Found> {
    const known = await this.#look(token);
    if (known !== null) return known;
    await withTimeout(this.#filled(), fillWaitMs, "Redis is being filled from the table of the blacklist");
    const filled = await this.#look(token);
    if (filled === null) throw new Error("Redis was emptied right after it was filled");
    return filled;
  }

  /** Returns null if Redis was not filled from the table. */
  async #look(token: TokenLookupClaims): Promise<Found | null> {
    const id = await this.#id();
    const keys = [accountEntry(token.sub), ...ownEntries(token)].map(entryKey);
    const [ready, account, ...own] = await this.#redis.mget(readyKey, ...keys);
    if (own.some((found) => found !== null)) return "token";
    if (account !== null) return "account";
    return ready === id ? "nothing" : null;
  }

  /** The id of the connected Redis, read once for each connection. */
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
        "Redis can evict revoked tokens, which makes them valid again: set its maxmemory-policy to noeviction",
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
      // Logged here, because requests can have stopped waiting. Logged once, because each request retries.
      if (!this.#isFillFailing)
        this.#log.warn({ err: plainError(error) }, "the blacklist of tokens cannot be copied to Redis");
      this.#isFillFailing = true;
      throw error;
    }
  }
}

/**
 * The ids in `INFO` that Redis creates at each start and when it becomes a primary. They change after a
 * restart with an old snapshot and after a failover to a replica, and both can lack the newest keys.
 */
function identityOf(info: string): string {
  return `${fieldOf(info, "run_id")}:${fieldOf(info, "master_replid")}`;
}

/** Whether Redis evicts keys when its memory is full. */
function mayEvict(info: string): boolean {
  const policy = fieldOf(info, "maxmemory_policy");
  return policy !== "" && policy !== "noeviction" && fieldOf(info, "maxmemory") !== "0";
}

function fieldOf(info: string, field: string): string {
  return new RegExp(`^${field}:(\\S*)`, "m").exec(info)?.[1] ?? "";
}
