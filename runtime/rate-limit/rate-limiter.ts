import type { Logger } from "pino";
import { within } from "../process/within.ts";
import { type CounterStore, type Hit, mostAtOnce } from "./counter-store.ts";
import type { Limit } from "./limits.ts";
import { type Quota, quotaOf } from "./quota.ts";
import { StoreHealth } from "./store-health.ts";

/** How long a request waits for the store. */
const longestWaitMs = 300;

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
 * It fails open (contract: "Rate limiting (CRUD and auth)", 4): without an answer in 300 ms requests pass, and from then on
 * they pass at once, while calls that nobody waits for find out when the store is back.
 */
export class RateLimiter {
  readonly #store: CounterStore;
  readonly #health: StoreHealth;
  #waiting = new Map<string, Waiting>();
  #isAsking = false;

  constructor(store: CounterStore, log: Logger) {
    this.#store = store;
    this.#health = new StoreHealth(log);
  }

  /** Counts one request. Null where nobody can tell: it passes. */
  take(key: string, limit: Limit): Promise<Quota | null> {
    if (this.#health.isDown) {
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

  /** Asks for all that waits, until nothing does. */
  async #ask(): Promise<void> {
    while (this.#waiting.size > 0) {
      const batch = this.#nextBatch();
      const call = this.#store.count(batch.map(hitOf));
      try {
        const counts = await within(call, longestWaitMs, "no answer in 300 ms");
        for (const [index, { limit, settle }] of batch.entries()) {
          const count = counts[index];
          for (const [position, one] of settle.entries())
            one(count === undefined ? null : quotaOf(limit, count, position));
        }
      } catch (error) {
        this.#health.failed(error);
        this.#letPass([...batch, ...this.#waiting.values()]);
        this.#waiting.clear();
        // It is still under way where it was too slow: no other call until then, or they would pile up.
        await call.catch(() => {});
      }
    }
    this.#isAsking = false;
  }

  /** A request that has passed already shows whether the store is back, and is counted if it is. */
  async #try(hit: Hit): Promise<void> {
    this.#isAsking = true;
    const call = this.#store.count([hit]);
    try {
      await within(call, longestWaitMs, "no answer in 300 ms");
      this.#health.recovered();
    } catch (error) {
      this.#health.failed(error);
      await call.catch(() => {});
    }
    this.#isAsking = false;
  }

  #nextBatch(): Waiting[] {
    const all = [...this.#waiting.values()];
    const batch = all.slice(0, mostAtOnce);
    this.#waiting = new Map(all.slice(mostAtOnce).map((waiting) => [waiting.key, waiting]));
    return batch;
  }

  #letPass(waiting: readonly Waiting[]): void {
    for (const { settle } of waiting) for (const one of settle) one(null);
  }
}

function hitOf({ key, limit, settle }: Waiting): Hit {
  return { key, limit, requests: settle.length };
}
