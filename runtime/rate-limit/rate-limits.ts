import type { Logger } from "pino";
import { type Operation, operations } from "../access/index.ts";
import type { Config } from "../config/index.ts";
import { type ClientAddress, clientAddressReader } from "../http/client-address.ts";
import type { CounterStore } from "./counter-store.ts";
import type { Limit, ModelLimits } from "./limits.ts";
import { OperationCounter } from "./operation-counter.ts";
import { RateLimiter } from "./rate-limiter.ts";

/** The section `rate_limit` of the manifest at work. */
export interface RateLimits {
  /** Null where all limits are off. */
  readonly limiter: RateLimiter | null;
  /** The limit of every route that has none of its own. */
  readonly defaultLimit: Limit;
  readonly addressOf: ClientAddress;
}

export function rateLimits(settings: Config["rateLimit"], store: CounterStore, log: Logger): RateLimits {
  return {
    limiter: settings.enabled ? new RateLimiter(store, log, settings.longestWaitMs) : null,
    defaultLimit: {
      maxRequests: settings.defaultMaxRequests,
      windowSeconds: settings.defaultWindowSeconds,
    },
    addressOf: clientAddressReader(settings.trustedProxyIps),
  };
}

/** The counters of a model's operations. An operation without a limit has none. */
export type OperationCounters = ReadonlyMap<Operation, OperationCounter>;

/** What a model says of its limits. */
interface LimitedModel {
  readonly model: { readonly key: string };
  readonly limits: ModelLimits;
}

/** The counters of all models, by key; none where limits are off. */
export function modelCounters(
  models: readonly LimitedModel[],
  { limiter, defaultLimit }: RateLimits,
): ReadonlyMap<string, OperationCounters> {
  if (limiter === null) return new Map();
  const countersOf = ({ model, limits }: LimitedModel): OperationCounters =>
    new Map(
      operations.flatMap((operation) => {
        const limit = limits[operation] ?? { ...defaultLimit, per: "ip" };
        if (limit === "off") return [];
        return [[operation, new OperationCounter(limiter, `crud:${model.key}:${operation}`, limit)]];
      }),
    );
  return new Map(models.map((entry) => [entry.model.key, countersOf(entry)]));
}
