import { plainError, type Redis, type Result } from "../cache/index.ts";
import { ServiceError } from "../errors/index.ts";
import type { Count, Counter, CounterStore, Hit } from "./counter-store.ts";
import { countScript, showScript } from "./sliding-window.ts";

/** In front of each key; what administrators see is without it (contract: "Rate-limit admin"). */
const prefix = "kirak:rl:";

/** A counter has at most about so many entries: with a larger limit its window moves in steps of a thousandth. */
const mostEntries = 1000;

/** Keys that one step of a listing looks at. */
const scanned = 1000;
/** Counters that are asked for at a time. */
const atOnce = 100;

declare module "ioredis" {
  interface RedisCommander<Context> {
    /** `countScript`, which `RedisWindow` defines: the number of keys, the keys, and the numbers of each. */
    countRequests(keys: number, ...keysAndValues: (string | number)[]): Result<unknown, Context>;
    /** `showScript`, which `RedisWindow` defines. */
    showCounter(key: string, moment: number | ""): Result<unknown, Context>;
  }
}

/** The sliding window in Redis (contract: "Rate limiting (CRUD and auth)", 3). */
export class RedisWindow implements CounterStore {
  readonly #redis: Redis;
  readonly #now: (() => number) | null;

  /** `now` gives milliseconds in place of the clock of Redis. */
  constructor(redis: Redis, now: (() => number) | null = null) {
    redis.defineCommand("countRequests", { lua: countScript });
    redis.defineCommand("showCounter", { lua: showScript, numberOfKeys: 1 });
    this.#redis = redis;
    this.#now = now;
  }

  async count(hits: readonly Hit[]): Promise<readonly Count[]> {
    const keys: string[] = [];
    const values: (string | number)[] = [this.#moment()];
    for (const { key, requests, limit } of hits) {
      const windowMs = limit.windowSeconds * 1000;
      const stepMs = limit.maxRequests <= mostEntries ? 1 : Math.ceil(windowMs / mostEntries);
      keys.push(prefix + key);
      values.push(requests, limit.maxRequests, windowMs, stepMs);
    }
    const answer = await this.#redis.countRequests(keys.length, ...keys, ...values).catch(throwPlain);
    const numbers = numbersIn(answer);
    const now = known(numbers[0]);
    return hits.map((_, index) => {
      const [granted, used, resetAt] = numbers.slice(index * 3 + 1, index * 3 + 4);
      return { granted: known(granted), used: known(used), resetAt: known(resetAt), now };
    });
  }

  async list(begin: string, limit: number): Promise<readonly Counter[]> {
    const counters: Counter[] = [];
    const seen = new Set<string>();
    let cursor = "0";
    do {
      const pattern = `${prefix}${literal(begin)}*`;
      const [next, found] = await shown(this.#redis.scan(cursor, "MATCH", pattern, "COUNT", scanned));
      cursor = next;
      const keys = found.filter((key) => !seen.has(key));
      for (const key of keys) seen.add(key);
      for (let at = 0; at < keys.length && counters.length < limit; at += atOnce)
        counters.push(...(await this.#showAll(keys.slice(at, at + atOnce))));
    } while (cursor !== "0" && counters.length < limit);
    return counters.slice(0, limit).sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  find(key: string): Promise<Counter | null> {
    return this.#show(prefix + key);
  }

  async reset(key: string): Promise<boolean> {
    return (await shown(this.#redis.del(prefix + key))) > 0;
  }

  async #showAll(keys: readonly string[]): Promise<Counter[]> {
    const counters = await Promise.all(keys.map((key) => this.#show(key)));
    return counters.filter((counter) => counter !== null);
  }

  async #show(key: string): Promise<Counter | null> {
    const answer = await shown(this.#redis.showCounter(key, this.#moment()));
    if (answer === null) return null;
    const [used, maxRequests, windowMs, resetAt] = numbersIn(answer);
    return {
      key: key.slice(prefix.length),
      count: known(used),
      maxRequests: known(maxRequests),
      windowSeconds: known(windowMs) / 1000,
      resetAt: known(resetAt),
    };
  }

  #moment(): number | "" {
    return this.#now === null ? "" : this.#now();
  }
}

/** Keys hold addresses of callers, and errors go to the log. */
function throwPlain(error: unknown): never {
  throw plainError(error);
}

/** What an administrator asks Redis for. Errors: 503 `HTTP_ERROR`. */
async function shown<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const options = { status: 503, cause: plainError(error) };
    throw new ServiceError("HTTP_ERROR", "The counters cannot be reached right now.", undefined, options);
  }
}

/** A pattern of Redis that matches just this text. */
function literal(text: string): string {
  return text.replace(/[\\*?[\]^-]/g, "\\$&");
}

function numbersIn(answer: unknown): number[] {
  if (Array.isArray(answer) && answer.every((value) => typeof value === "number")) return answer;
  throw new Error("Redis answered a script of the rate limits with something else than numbers");
}

function known(value: number | undefined): number {
  if (value === undefined) throw new Error("Redis answered a script of the rate limits with too few numbers");
  return value;
}
