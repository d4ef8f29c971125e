import type { ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { Limit as PlainLimit } from "../../../vocabulary/rate-limits.ts";
import { withTimeout } from "../../core/concurrency/index.ts";
import { ServiceError } from "../../core/errors/index.ts";

/** A limit, and the manifest key that sets it (not in production). */
export interface Limit extends PlainLimit {
  readonly setBy?: string;
}

/** Requests to count under one key. */
export interface Hit {
  readonly key: string;
  readonly requests: number;
  readonly limit: Limit;
}

/** Result of a hit. Moments are milliseconds of the store's clock. */
export interface Count {
  /** How many of the requests pass. */
  readonly granted: number;
  /** Requests in the window, including these. */
  readonly used: number;
  /** When the next request leaves the window; with a fixed window, when it ends. */
  readonly resetAt: number;
  readonly now: number;
}

/** A counter for administrators. */
export interface Counter {
  readonly key: string;
  readonly count: number;
  readonly maxRequests: number;
  readonly windowSeconds: number;
  /** See `Count`. */
  readonly resetAt: number;
}

/** Most counters per call. */
export const maxCountersPerCall = 500;

/** Shared counters of all processes. Methods reject if the store is unavailable. */
export interface CounterStore {
  /** Counts hits with distinct keys, each atomically; results in their order. */
  count(hits: readonly Hit[]): Promise<readonly Count[]>;
  /** At most `limit` counters with this key prefix, by key. */
  list(prefix: string, limit: number): Promise<readonly Counter[]>;
  /** Null if the key has no counter. */
  find(key: string): Promise<Counter | null>;
  /** Deletes a counter; false if it does not exist. */
  reset(key: string): Promise<boolean>;
}

/** The caller's quota after a counted request. */
export interface Quota {
  readonly maxRequests: number;
  readonly remaining: number;
  /** End of the window, Unix timestamp in seconds. */
  readonly reset: number;
  /** Seconds until another request can pass; null if this one passed. */
  readonly retryAfter: number | null;
  readonly setBy?: string | undefined;
}

/** Quota of the request at `position` (from 0) in a batch. */
function quotaOf({ maxRequests, setBy }: Limit, count: Count, position: number): Quota {
  const { granted, used, resetAt, now } = count;
  const isGranted = position < granted;
  return {
    maxRequests,
    remaining: isGranted ? Math.max(0, maxRequests - used + (granted - 1 - position)) : 0,
    reset: Math.ceil(resetAt / 1000),
    retryAfter: isGranted ? null : Math.max(1, Math.ceil((resetAt - now) / 1000)),
    setBy,
  };
}

/** Sets the three quota headers of a counted model request. */
export function setQuotaHeaders(response: ServerResponse, { maxRequests, remaining, reset }: Quota): void {
  response.setHeader("X-RateLimit-Limit", maxRequests);
  response.setHeader("X-RateLimit-Remaining", remaining);
  response.setHeader("X-RateLimit-Reset", reset);
}

/** Seconds until the request can pass under all quotas; 0 if it passed. */
export function secondsToWait(...quotas: readonly (Quota | null)[]): number {
  let seconds = 0;
  for (const quota of quotas) seconds = Math.max(seconds, quota?.retryAfter ?? 0);
  return seconds;
}

/** Error: 429 `RATE_LIMIT_EXCEEDED` with `Retry-After` in seconds. The message names `setBy`, if set. */
export function requirePassed(...quotas: readonly (Quota | null)[]): void {
  const seconds = secondsToWait(...quotas);
  if (seconds === 0) return;
  const when = seconds === 1 ? "1 second" : `${seconds} seconds`;
  const setBy = quotas.find((quota) => quota?.retryAfter === seconds)?.setBy;
  const advice = setBy === undefined ? "" : ` While you develop, raise ${setBy}.`;
  const message = `Too many requests. Try again in ${when}.${advice}`;
  const headers = { "Retry-After": String(seconds) };
  throw new ServiceError("RATE_LIMIT_EXCEEDED", message, undefined, { headers });
}

/** Pause between retries while the store is down. */
const pauseMs = 1_000;

/** Tracks outages of the store and schedules retries. Logs one line per start and end. */
class StoreHealth {
  readonly #log: Logger;
  #isDown = false;
  #nextTry = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  /** Whether a retry is due. */
  isRetryDue(): boolean {
    return performance.now() >= this.#nextTry;
  }

  failed(error: unknown): void {
    this.#nextTry = performance.now() + pauseMs;
    if (this.#isDown) return;
    this.#isDown = true;
    // Only the message: PostgreSQL's error details contain keys with IP addresses.
    const reason = error instanceof Error ? error.message : String(error);
    this.#log.warn({ reason }, "rate limits cannot be counted: requests pass unlimited");
  }

  recovered(): void {
    this.#isDown = false;
    this.#log.info("rate limits are counted again");
  }
}

type Settle = (quota: Quota | null) => void;

interface Waiting {
  readonly key: string;
  readonly limit: Limit;
  readonly settle: Settle[];
}

const uncounted = Promise.resolve(null);

/** Counts requests in batches, one call at a time. Fails open: requests pass while the store is down. */
export class RateLimiter {
  readonly #store: CounterStore;
  readonly #health: StoreHealth;
  readonly #longestWaitMs: number;
  #waiting = new Map<string, Waiting>();
  #isCounting = false;
  #uncounted = 0;

  /** `longestWaitMs` is the timeout of a call. */
  constructor(store: CounterStore, log: Logger, longestWaitMs: number) {
    this.#store = store;
    this.#health = new StoreHealth(log);
    this.#longestWaitMs = longestWaitMs;
  }

  /** Requests that passed uncounted since the start of the process. */
  get uncounted(): number {
    return this.#uncounted;
  }

  /** Counts one request. Null if the store is unavailable: the request passes. */
  take(key: string, limit: Limit): Promise<Quota | null> {
    if (this.#health.isDown) {
      this.#uncounted++;
      if (!this.#isCounting && this.#health.isRetryDue()) void this.#probe({ key, limit, requests: 1 });
      return uncounted;
    }
    return new Promise((settle) => {
      const known = this.#waiting.get(key);
      if (known === undefined) this.#waiting.set(key, { key, limit, settle: [settle] });
      else known.settle.push(settle);
      if (this.#isCounting) return;
      this.#isCounting = true;
      // Deferred, so that the root fields of a GraphQL request share a batch.
      queueMicrotask(() => void this.#countBatches());
    });
  }

  /** Resets a counter. If the store is unavailable, the counter stays. */
  async reset(key: string): Promise<void> {
    if (this.#health.isDown) return;
    await withTimeout(this.#store.reset(key), this.#longestWaitMs, "").catch(() => {});
  }

  /** Sends batches until no request waits. */
  async #countBatches(): Promise<void> {
    while (this.#waiting.size > 0) {
      const batch = this.#nextBatch();
      const counts = await this.#count(batch.map(hitOf), () => this.#letPass(batch));
      for (const [index, { limit, settle }] of batch.entries()) {
        const count = counts?.[index];
        for (const [position, one] of settle.entries())
          one(count === undefined ? null : quotaOf(limit, count, position));
      }
    }
    this.#isCounting = false;
  }

  /** Tests the store with the hit of a request that has already passed. The hit counts if the store is back. */
  async #probe(hit: Hit): Promise<void> {
    this.#isCounting = true;
    const counts = await this.#count([hit], () => {});
    if (counts !== null) this.#health.recovered();
    this.#isCounting = false;
  }

  /** Returns null after a failure or timeout. Calls `giveUp` at once, then waits for the store's call to end. */
  async #count(hits: readonly Hit[], giveUp: () => void): Promise<readonly Count[] | null> {
    const call = this.#store.count(hits);
    try {
      return await withTimeout(call, this.#longestWaitMs, `no answer in ${this.#longestWaitMs} ms`);
    } catch (error) {
      this.#health.failed(error);
      giveUp();
      // Wait for this call, because calls to a slow store would pile up.
      await call.catch(() => {});
      return null;
    }
  }

  /** Lets the batch pass, and the requests that arrived since. */
  #letPass(batch: readonly Waiting[]): void {
    const waiting = [...batch, ...this.#waiting.values()];
    this.#waiting.clear();
    for (const { settle } of waiting) {
      this.#uncounted += settle.length;
      for (const one of settle) one(null);
    }
  }

  #nextBatch(): Waiting[] {
    const all = [...this.#waiting.values()];
    const batch = all.slice(0, maxCountersPerCall);
    this.#waiting = new Map(all.slice(maxCountersPerCall).map((waiting) => [waiting.key, waiting]));
    return batch;
  }
}

function hitOf({ key, limit, settle }: Waiting): Hit {
  return { key, limit, requests: settle.length };
}
