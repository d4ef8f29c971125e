import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Logger } from "pino";
import { type Operation, operations } from "../../../vocabulary/operations.ts";
import {
  type CountedPer,
  guestPrefix,
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

/** A limit, and the manifest key that sets it (not in production). */
export interface Limit extends PlainLimit {
  readonly setBy?: string;
}

/** The limit of one operation of a model. */
export interface OperationLimit extends Limit {
  readonly per: CountedPer;
}

/** Limits of a model. Other operations use `default`, else the manifest's limit by address. */
export type ModelLimits = { readonly [Op in Operation | "default"]?: OperationLimit | "off" };

/** Declares the limits of a model, as `generated/models/<key>/policy.ts` does. */
export function defineLimits(limits: ModelLimits): ModelLimits {
  return limits;
}

/** Requests to count under one key. */
export interface Hit {
  readonly key: string;
  readonly requests: number;
  readonly limit: Limit;
}

/** Result of a hit. Moments are milliseconds of the store's clock. */
export interface Count {
  /** How many of the requests are let through, and counted. */
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
export const mostAtOnce = 500;

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

/** Seconds until such a request can pass; 0 if it passed. */
export function secondsToWait(...quotas: readonly (Quota | null)[]): number {
  let seconds = 0;
  for (const quota of quotas) seconds = Math.max(seconds, quota?.retryAfter ?? 0);
  return seconds;
}

/** Error: 429 `RATE_LIMIT_EXCEEDED` with `Retry-After` in seconds; outside production it names the key. */
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
  mayTry(): boolean {
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

const unknown = Promise.resolve(null);

/** Counts requests in batches, one call at a time. Fails open: requests pass while the store is down. */
export class RateLimiter {
  readonly #store: CounterStore;
  readonly #health: StoreHealth;
  readonly #longestWaitMs: number;
  #waiting = new Map<string, Waiting>();
  #isAsking = false;
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
      if (!this.#isAsking && this.#health.mayTry()) void this.#try({ key, limit, requests: 1 });
      return unknown;
    }
    return new Promise((settle) => {
      const known = this.#waiting.get(key);
      if (known === undefined) this.#waiting.set(key, { key, limit, settle: [settle] });
      else known.settle.push(settle);
      if (this.#isAsking) return;
      this.#isAsking = true;
      // Deferred, so that the root fields of a GraphQL request share a batch.
      queueMicrotask(() => void this.#ask());
    });
  }

  /** Resets a counter. If the store is unavailable, the counter stays. */
  async reset(key: string): Promise<void> {
    if (this.#health.isDown) return;
    await withTimeout(this.#store.reset(key), this.#longestWaitMs, "").catch(() => {});
  }

  /** Sends batches until no request waits. */
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

  /** A request that has already passed tests whether the store is back, and counts if it is. */
  async #try(hit: Hit): Promise<void> {
    this.#isAsking = true;
    const counts = await this.#count([hit], () => {});
    if (counts !== null) this.#health.recovered();
    this.#isAsking = false;
  }

  /** Result of the store; null after a timeout, when it calls `giveUp`. The call can continue. */
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
    const batch = all.slice(0, mostAtOnce);
    this.#waiting = new Map(all.slice(mostAtOnce).map((waiting) => [waiting.key, waiting]));
    return batch;
  }
}

function hitOf({ key, limit, settle }: Waiting): Hit {
  return { key, limit, requests: settle.length };
}

/** Counts requests for one operation, over REST and GraphQL. */
export class OperationCounter {
  readonly #limiter: RateLimiter;
  readonly #limit: OperationLimit;
  readonly #name: string;

  /** `name` is part of the key. */
  constructor(limiter: RateLimiter, name: string, limit: OperationLimit) {
    this.#limiter = limiter;
    this.#name = name;
    this.#limit = limit;
  }

  /** Counts a caller's request. Null if the store is unavailable: the request passes. */
  take(caller: Principal, address: string): Promise<Quota | null> {
    const user = this.#limit.per === "user" && caller.user_id !== null ? named(caller.user_id) : null;
    const key = operationCounterKey(this.#name, this.#limit.per, { address, user });
    return this.#limiter.take(key, this.#limit);
  }
}

const longestId = 255;

/** A user id in a key. Hashes unusual ids: a key that the store rejects would fail its whole batch. */
function named(id: string): string {
  const isPlain =
    id.length <= longestId && id.isWellFormed() && !id.includes("\0") && !id.startsWith(guestPrefix);
  return isPlain ? id : `sha256:${createHash("sha256").update(id, "utf16le").digest("hex")}`;
}

/** Rate limits of the service. */
export interface RateLimits {
  /** Null if all limits are off. */
  readonly limiter: RateLimiter | null;
  /** For wrong passwords and sent messages; counts even if `rate_limit.enabled` is false. */
  readonly alwaysOn: RateLimiter;
  /** The limit of routes without their own. */
  readonly defaultLimit: Limit;
  /** Client address as an IPv4 address or IPv6 network. */
  readonly addressOf: ClientAddress;
  /** Whether errors name the manifest key of the limit: only outside production. */
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

/** Counters by operation; operations without a limit have none. */
export type OperationCounters = ReadonlyMap<Operation, OperationCounter>;

interface LimitedModel {
  readonly model: { readonly key: string };
  readonly limits: ModelLimits;
}

/** The model's limit of an operation, else the manifest's by address. */
function limitOf(
  { model, limits }: LimitedModel,
  operation: Operation,
  { defaultLimit, namesKeys }: RateLimits,
): OperationLimit | "off" {
  const own = limits[operation] ?? limits.default;
  if (own === undefined) return { ...defaultLimit, per: "ip" };
  return own === "off" || !namesKeys ? own : { ...own, setBy: `the rate_limit of the model ${model.key}` };
}

/** Counters of all models by key; empty if limits are off. */
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

/** Counters of storage operations; operations without a limit have none. */
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

/** Limit of a custom route. */
type RouteLimit =
  | { readonly max_requests: number; readonly window_seconds: number; readonly per?: "ip" | "user" }
  | { readonly enabled: false };

/** Counter of a route; undefined without a limit. Default: the manifest's limit, by address. */
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

interface Counted {
  readonly principal: Principal;
  readonly address: string;
  /** Gets the step `limit`. */
  readonly trace: Trace;
}

/** Counts a request and sets its quota headers. Errors: 429 `RATE_LIMIT_EXCEEDED`. */
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
