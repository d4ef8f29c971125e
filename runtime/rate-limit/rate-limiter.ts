import type { Logger } from "pino";
import { withTimeout } from "../concurrency/index.ts";
import { type Count, type CounterStore, type Hit, mostAtOnce } from "./counter-store.ts";
import type { Limit } from "./model-limits.ts";
import { type Quota, quotaOf } from "./quota.ts";
import { StoreHealth } from "./store-health.ts";

type Settle = (quota: Quota | null) => void;

/** Requests that wait to be counted under one key. */
interface Waiting {
  readonly key: string;
  readonly limit: Limit;
  readonly settle: Settle[];
}

const unknown = Promise.resolve(null);

/**
 * Counts requests in the store. One call is under way at a time, and what arrives meanwhile goes into the next one, so that
 * a flood from one caller costs the store no more than a trickle.
 *
 * It fails open (contract: "Rate limiting (CRUD and auth)", 4): without an answer in time requests pass, and from then on they
 * pass at once, while calls that nobody waits for find out when the store is back.
 */
export class RateLimiter {
  readonly #store: CounterStore;
  readonly #health: StoreHealth;
  readonly #longestWaitMs: number;
  #waiting = new Map<string, Waiting>();
  #isAsking = false;
  #uncounted = 0;

  /** `longestWaitMs` is how long a call may take. */
  constructor(store: CounterStore, log: Logger, longestWaitMs: number) {
    this.#store = store;
    this.#health = new StoreHealth(log);
    this.#longestWaitMs = longestWaitMs;
  }

  /** How many passed since nobody could tell, from the start of the process. */
  get uncounted(): number {
    return this.#uncounted;
  }

  /** Counts one request. Null where nobody can tell: it passes. */
  take(key: string, limit: Limit): Promise<Quota | null> {
    if (this.#health.isDown) {
      this.#uncounted++;
      if (!this.#isAsking && this.#health.mayTry()) void this.#try({ key, limit, requests: 1 });
      return unknown;
    }
    return new Promise((settle) => {
      const known = this.#waiting.get(key);
      if (known === undefined) this.#waiting.set(key, { key, limit, settle: [settle] });
      else known.settle.push(settle);
      if (this.#isAsking) return;
      this.#isAsking = true;
      // In a moment, so that the root fields of one GraphQL request go together.
      queueMicrotask(() => void this.#ask());
    });
  }

  /** Begins a window anew. Where the store does not answer, the window stays. */
  async reset(key: string): Promise<void> {
    if (this.#health.isDown) return;
    await withTimeout(this.#store.reset(key), this.#longestWaitMs, "").catch(() => {});
  }

  /** Asks for all that waits, until nothing does. */
  async #ask(): Promise<void> {
    while (this.#waiting.size > 0) {
      const batch = this.#nextBatch();
      const counts = await this.#count(batch.map(hitOf), () => this.#letPass(batch));
      for (const [index, { limit, settle }] of batch.entries()) {
        const count = counts?.[index];
        for (const [position, one] of settle.entries())
          one(count === undefined ? null : quotaOf(limit, count, position));
      }
    }
    this.#isAsking = false;
  }

  /** A request that has passed already shows whether the store is back, and is counted if it is. */
  async #try(hit: Hit): Promise<void> {
    this.#isAsking = true;
    const counts = await this.#count([hit], () => {});
    if (counts !== null) this.#health.recovered();
    this.#isAsking = false;
  }

  /** What the store says; null where it says nothing in time. Then `giveUp` is called, while the call may still be under way. */
  async #count(hits: readonly Hit[], giveUp: () => void): Promise<readonly Count[] | null> {
    const call = this.#store.count(hits);
    try {
      return await withTimeout(call, this.#longestWaitMs, `no answer in ${this.#longestWaitMs} ms`);
    } catch (error) {
      this.#health.failed(error);
      giveUp();
      // No other call before this one is over: they would pile up.
      await call.catch(() => {});
      return null;
    }
  }

  /** The requests of a batch, and those that have come since. */
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
    const batch = all.slice(0, mostAtOnce);
    this.#waiting = new Map(all.slice(mostAtOnce).map((waiting) => [waiting.key, waiting]));
    return batch;
  }
}

function hitOf({ key, limit, settle }: Waiting): Hit {
  return { key, limit, requests: settle.length };
}
