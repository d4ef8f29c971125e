import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Logger } from "pino";
import { type Operation, operations } from "../../../vocabulary/operations.ts";
import {
  type CountedPer,
  guestMark,
  operationCounterKey,
  operationName,
  type Limit as PlainLimit,
  storageOperationName,
} from "../../../vocabulary/rate-limits.ts";
import { type StorageOperation, storageOperations } from "../../../vocabulary/storage.ts";
import { type Trace, withTimeout } from "../../core/concurrency/index.ts";
import type { Config, StorageSettings } from "../../core/config/index.ts";
import { ServiceError } from "../../core/errors/index.ts";
import { type ClientAddress, clientAddressReader, networkOf } from "../../core/http/index.ts";
import type { Principal } from "../../models/access/index.ts";

/** A limit, and for whoever develops the key that sets it; left out in production. */
export interface Limit extends PlainLimit {
  readonly setBy?: string;
}

/** The limit of one operation of a model. */
export interface OperationLimit extends Limit {
  readonly per: CountedPer;
}

/** The limits that a model has of its own. What is not named has its `default`, else the manifest's by address. */
export type ModelLimits = { readonly [Op in Operation | "default"]?: OperationLimit | "off" };

/** Declares the limits of a model, as `generated/models/<key>/policy.ts` does. */
export function defineLimits(limits: ModelLimits): ModelLimits {
  return limits;
}

/** Requests that want to be counted under one key. */
export interface Hit {
  readonly key: string;
  readonly requests: number;
  readonly limit: Limit;
}

/** What a store says to a hit. Moments are milliseconds of the store's own clock. */
export interface Count {
  /** How many of the requests are let through, and counted. */
  readonly granted: number;
  /** Requests in the window after these. */
  readonly used: number;
  /** When the next request leaves the window; with a fixed window, all of them. */
  readonly resetAt: number;
  readonly now: number;
}

/** A counter as administrators see it. */
export interface Counter {
  readonly key: string;
  readonly count: number;
  readonly maxRequests: number;
  readonly windowSeconds: number;
  /** As of `Count`. */
  readonly resetAt: number;
}

/** Counters that are asked for in one call. */
export const mostAtOnce = 500;

/** Where the processes of a service keep their counters. All methods reject when it cannot be reached. */
export interface CounterStore {
  /** Counts hits, whose keys differ, in one atomic step each, and answers them in their order. */
  count(hits: readonly Hit[]): Promise<readonly Count[]>;
  /** Counters whose keys begin with `prefix`, in the order of their keys; no more than `limit`. */
  list(prefix: string, limit: number): Promise<readonly Counter[]>;
  /** Null where nothing is counted under the key. */
  find(key: string): Promise<Counter | null>;
  /** Forgets a counter; false where there is none. */
  reset(key: string): Promise<boolean>;
}

/** What is left to a caller after a request that was counted. */
export interface Quota {
  readonly maxRequests: number;
  readonly remaining: number;
  /** Unix timestamp in seconds: when the window ends. */
  readonly reset: number;
  /** Seconds until another request would pass; null for a request that passed. */
  readonly retryAfter: number | null;
  /** As the limit has it. */
  readonly setBy?: string | undefined;
}

/** The quota of the request at `position`, from zero, among those that were counted together. */
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

/** The three headers of a request for a model that was counted. */
export function setQuotaHeaders(response: ServerResponse, { maxRequests, remaining, reset }: Quota): void {
  response.setHeader("X-RateLimit-Limit", maxRequests);
  response.setHeader("X-RateLimit-Remaining", remaining);
  response.setHeader("X-RateLimit-Reset", reset);
}

/** Until a request would pass that was counted with these results; 0 for one that passed. */
export function secondsToWait(...quotas: readonly (Quota | null)[]): number {
  let seconds = 0;
  for (const quota of quotas) seconds = Math.max(seconds, quota?.retryAfter ?? 0);
  return seconds;
}

/**
 * Refuses what exceeded a limit. Outside production it names the key that sets the one with the longest wait. Errors: 429
 * `RATE_LIMIT_EXCEEDED` with `Retry-After` in seconds.
 */
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

/** Between two tries while the store is down. */
const pauseMs = 1_000;

/** Whether the store answers, and when to try again where it does not. The log has one line for each beginning and end. */
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

  /** Whether it is time to try again. */
  mayTry(): boolean {
    return performance.now() >= this.#nextTry;
  }

  failed(error: unknown): void {
    this.#nextTry = performance.now() + pauseMs;
    if (this.#isDown) return;
    this.#isDown = true;
    // The message alone: the details of an error of PostgreSQL hold keys, and those the addresses of callers.
    const reason = error instanceof Error ? error.message : String(error);
    this.#log.warn({ reason }, "rate limits cannot be counted: requests pass unlimited");
  }

  recovered(): void {
    this.#isDown = false;
    this.#log.info("rate limits are counted again");
  }
}

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
 * It fails open: without an answer in time requests pass, and from then on they
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

/** Counts the requests for one operation, whichever way they come. */
export class OperationCounter {
  readonly #limiter: RateLimiter;
  readonly #limit: OperationLimit;
  readonly #name: string;

  /** `name` is what it is counted as. */
  constructor(limiter: RateLimiter, name: string, limit: OperationLimit) {
    this.#limiter = limiter;
    this.#name = name;
    this.#limit = limit;
  }

  /** Counts one request of a caller. Null where nobody can tell: it passes. */
  take(caller: Principal, address: string): Promise<Quota | null> {
    const user = this.#limit.per === "user" && caller.user_id !== null ? named(caller.user_id) : null;
    const key = operationCounterKey(this.#name, this.#limit.per, { address, user });
    return this.#limiter.take(key, this.#limit);
  }
}

const longestId = 255;

/**
 * A user's id in a key: as it stands for all that this service signs. A token may name anything, and a key that a store does
 * not take would leave all others of its call uncounted; nor is anybody a guest by name.
 */
function named(id: string): string {
  const isPlain =
    id.length <= longestId && id.isWellFormed() && !id.includes("\0") && !id.startsWith(guestMark);
  return isPlain ? id : `sha256:${createHash("sha256").update(id, "utf16le").digest("hex")}`;
}

/** The section `rate_limit` of the manifest at work. */
export interface RateLimits {
  /** Null where all limits are off. */
  readonly limiter: RateLimiter | null;
  /** Counts what is bounded even where `rate_limit.enabled` is false: wrong passwords, and messages to people. */
  readonly alwaysOn: RateLimiter;
  /** The limit of every route that has none of its own. */
  readonly defaultLimit: Limit;
  /** Where a request comes from, as counters and shares name it: an IPv4 address, or a network of IPv6. */
  readonly addressOf: ClientAddress;
  /** Whether a refusal names the key that sets its limit: outside production, for whoever develops. */
  readonly namesKeys: boolean;
}

type Settings = Pick<Config, "rateLimit" | "production" | "setByEnvironment">;

const key = "rate_limit.default_max_requests in models/manifest.json";
const variable = "SERVICE_SET_RATE_LIMIT__DEFAULT_MAX_REQUESTS";

export function rateLimits(
  { rateLimit: settings, production, setByEnvironment }: Settings,
  store: CounterStore,
  log: Logger,
): RateLimits {
  const limiter = new RateLimiter(store, log, settings.longestWaitMs);
  const clientAddress = clientAddressReader(settings.trustedProxyIps);
  return {
    limiter: settings.enabled ? limiter : null,
    alwaysOn: limiter,
    namesKeys: !production,
    defaultLimit: {
      maxRequests: settings.defaultMaxRequests,
      windowSeconds: settings.defaultWindowSeconds,
      ...(!production && { setBy: setByEnvironment.includes(variable) ? variable : key }),
    },
    addressOf: (request) => networkOf(clientAddress(request), settings.ipv6Prefix),
  };
}

/** The counters of a model's operations. An operation without a limit has none. */
export type OperationCounters = ReadonlyMap<Operation, OperationCounter>;

/** What a model says of its limits. */
interface LimitedModel {
  readonly model: { readonly key: string };
  readonly limits: ModelLimits;
}

/** The model's own limit of an operation, else the manifest's by address. */
function limitOf(
  { model, limits }: LimitedModel,
  operation: Operation,
  { defaultLimit, namesKeys }: RateLimits,
): OperationLimit | "off" {
  const own = limits[operation] ?? limits.default;
  if (own === undefined) return { ...defaultLimit, per: "ip" };
  return own === "off" || !namesKeys ? own : { ...own, setBy: `the rate_limit of the model ${model.key}` };
}

/** The counters of all models, by key; none where limits are off. */
export function modelCounters(
  models: readonly LimitedModel[],
  rateLimits: RateLimits,
): ReadonlyMap<string, OperationCounters> {
  const { limiter } = rateLimits;
  if (limiter === null) return new Map();
  const countersOf = (entry: LimitedModel): OperationCounters =>
    new Map(
      operations.flatMap((operation) => {
        const limit = limitOf(entry, operation, rateLimits);
        if (limit === "off") return [];
        return [[operation, new OperationCounter(limiter, operationName(entry.model.key, operation), limit)]];
      }),
    );
  return new Map(models.map((entry) => [entry.model.key, countersOf(entry)]));
}

/** The counters of the storage module's operations. An operation without a limit has none. */
export function storageCounters(
  limits: StorageSettings["limits"],
  { limiter, namesKeys }: RateLimits,
): ReadonlyMap<StorageOperation, OperationCounter> {
  if (limiter === null) return new Map();
  return new Map(
    storageOperations.flatMap((operation) => {
      const limit = limits[operation];
      if (limit === undefined) return [];
      const own = namesKeys ? { ...limit, setBy: "storage.rate_limit in models/manifest.json" } : limit;
      return [[operation, new OperationCounter(limiter, storageOperationName(operation), own)]];
    }),
  );
}

/** What a route of one's own says of its limit. */
type RouteLimit =
  | { readonly max_requests: number; readonly window_seconds: number; readonly per?: "ip" | "user" }
  | { readonly enabled: false };

/** The counter of a route by its name; undefined where nothing limits it. Without a word of its own it has the manifest's limit, by address. */
export function routeCounter(
  name: string,
  own: RouteLimit | undefined,
  { limiter, defaultLimit, namesKeys }: RateLimits,
): OperationCounter | undefined {
  if (limiter === null || (own !== undefined && "enabled" in own)) return undefined;
  if (own === undefined) return new OperationCounter(limiter, name, { ...defaultLimit, per: "ip" });
  const { max_requests: maxRequests, window_seconds: windowSeconds, per = "ip" } = own;
  const setBy = namesKeys ? { setBy: "the rate_limit of the route" } : {};
  return new OperationCounter(limiter, name, { maxRequests, windowSeconds, per, ...setBy });
}

/** Whose request is counted. */
interface Counted {
  readonly principal: Principal;
  readonly address: string;
  /** It has the step `limit`. */
  readonly trace: Trace;
}

/**
 * Counts a request of an operation, where that has a limit. Sets the headers of a request that was counted, which stand on whatever
 * is answered, and refuses it beyond its limit. Errors: 429 `RATE_LIMIT_EXCEEDED`.
 */
export async function countRequest(
  counter: OperationCounter | undefined,
  { principal, address, trace }: Counted,
  response: ServerResponse,
): Promise<void> {
  if (counter === undefined) return;
  const step = trace.begin("limit");
  const quota = await counter.take(principal, address);
  trace.end(step);
  if (quota === null) return;
  setQuotaHeaders(response, quota);
  requirePassed(quota);
}
