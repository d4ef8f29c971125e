import type { Logger } from "pino";
import { operationName, storageOperationName } from "../../vocabulary/counter-keys.ts";
import { type Operation, operations } from "../../vocabulary/operations.ts";
import { type StorageOperation, storageOperations } from "../../vocabulary/storage.ts";
import type { Config, StorageSettings } from "../config/index.ts";
import { type ClientAddress, clientAddressReader, networkOf } from "../http/index.ts";
import type { CounterStore } from "./counter-store.ts";
import type { Limit, ModelLimits, OperationLimit } from "./model-limits.ts";
import { OperationCounter } from "./operation-counter.ts";
import { RateLimiter } from "./rate-limiter.ts";

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
