export { type AdminServices, rateLimitAdmin } from "./admin-routes.ts";
export { connectCounters, PostgresWindow } from "./postgres-window.ts";
export {
  type Count,
  type Counter,
  type CounterStore,
  type Hit,
  type Limit,
  type Quota,
  type RateLimiter,
  requirePassed,
  secondsToWait,
  setQuotaHeaders,
} from "./rate-limiter.ts";
export {
  countRequest,
  defineLimits,
  type ModelLimits,
  modelCounters,
  type OperationCounter,
  type OperationCounters,
  type OperationLimit,
  type RateLimits,
  rateLimits,
  routeCounter,
  storageCounters,
} from "./rate-limits.ts";
export { RedisWindow } from "./redis-window.ts";
