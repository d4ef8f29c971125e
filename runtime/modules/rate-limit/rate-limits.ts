import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Logger } from "pino";
import { type Operation, operations } from "../../../vocabulary/operations.ts";
import {
  type CountedPer,
  guestPrefix,
  operationCounterKey,
  operationName,
  storageOperationName,
} from "../../../vocabulary/rate-limits.ts";
import { type StorageOperation, storageOperations } from "../../../vocabulary/storage.ts";
import type { Trace } from "../../core/concurrency/index.ts";
import type { Config, StorageSettings } from "../../core/config/index.ts";
import { type ClientAddress, clientAddressReader, networkOf } from "../../core/http/index.ts";
import type { Principal } from "../../models/access/index.ts";
import {
  type CounterStore,
  type Limit,
  type Quota,
  RateLimiter,
  requirePassed,
  setQuotaHeaders,
} from "./rate-limiter.ts";

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
    const user = this.#limit.per === "user" && caller.user_id !== null ? userKeyPart(caller.user_id) : null;
    const key = operationCounterKey(this.#name, this.#limit.per, { address, user });
    return this.#limiter.take(key, this.#limit);
  }
}

const longestId = 255;

/** A user id in a key. Hashes unusual ids: a key that the store rejects would fail its whole batch. */
function userKeyPart(id: string): string {
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
  /** The limit by address of models and routes that declare no limit. */
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

interface RequestToCount {
  readonly principal: Principal;
  readonly address: string;
  /** The trace that records the step `limit`. */
  readonly trace: Trace;
}

/** Counts a request and sets its quota headers. Errors: 429 `RATE_LIMIT_EXCEEDED`. */
export async function countRequest(
  counter: OperationCounter | undefined,
  { principal, address, trace }: RequestToCount,
  response: ServerResponse,
): Promise<void> {
  if (counter === undefined) return;
  const step = trace.begin("limit");
  const quota = await counter.take(principal, address);
  trace.end(step);
  if (quota === null) return;
  // A stream of MCP has begun before its call is counted.
  if (!response.headersSent) setQuotaHeaders(response, quota);
  requirePassed(quota);
}
