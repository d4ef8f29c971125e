import { randomUUID } from "node:crypto";
import type { Redis } from "../../cache/index.ts";
import type { Database } from "../../database/index.ts";
import { revocations } from "./postgres-blacklist.ts";

/** Holds the id of the Redis that was filled from the table, as long as nothing has emptied it since. */
export const readyKey = "kirak:blacklist:ready";

/** Is there while the token is revoked, and expires with it. */
export function entryKey(jti: string): string {
  return `kirak:blacklist:${jti}`;
}

const batchSize = 500;
const maxAttempts = 3;
/** Longer than a batch takes; each one begins it anew. */
const markLifeMs = 30_000;

/** Waits until the transactions that have revoked something are over; those that come next wait for it. */
const barrier = { name: null, text: `select pg_advisory_xact_lock(${revocations})` };

/** By expiry and not by id: the index skips what has expired, however much of it nobody has purged. */
const nextBatch = {
  name: "kirak_auth_blacklist_fill",
  text: `select id, expires_at, jti, ceil(extract(epoch from expires_at - now()) * 1000)::bigint
from auth_token_blacklist
where expires_at > now() and expires_at >= $1 and (expires_at, id) > ($1, $2)
order by expires_at, id limit ${batchSize}`,
};

/** Stores entries as long as the mark of the fill is there. KEYS: the mark, entries; ARGV: lifetimes of these. */
const storeScript = `
if redis.call('PEXPIRE', KEYS[1], ARGV[1]) == 0 then return 0 end
for i = 2, #KEYS do redis.call('SET', KEYS[i], '1', 'PX', ARGV[i]) end
return 1`;

/** Declares Redis complete if the mark of the fill is still there. KEYS: the mark, the sentinel; ARGV: the id of Redis. */
const finishScript = `
if redis.call('DEL', KEYS[1]) == 0 then return 0 end
redis.call('SET', KEYS[2], ARGV[1])
return 1`;

/**
 * Copies the blacklist from the table to Redis, and sets the sentinel to the id of that Redis. Gives how many entries
 * there were. Any number of processes may do so at once.
 *
 * No revocation that was reported as done is lost: `add` writes the row first and the key after it; and the row together
 * with a share in the lock of the barrier, which it keeps until its transaction ends. So
 * - a transaction that had the lock before the barrier is over when that passes, and its rows are read here if it was
 *   committed. Without the barrier a row that is not committed yet would be missed, and its key may have gone with the
 *   flush that made this fill necessary;
 * - one that has it later sets its keys after the mark. A flush that takes such a key takes the mark too, or the
 *   sentinel, and there is another fill.
 */
export async function fill(
  redis: Redis,
  database: Database,
  idOfRedis: () => Promise<string>,
): Promise<number> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const count = await tryToFill(redis, database, idOfRedis);
    if (count !== null) return count;
  }
  throw new Error("Redis was emptied again and again while the blacklist was copied to it");
}

/** Null when Redis was emptied meanwhile, or is another one. */
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
