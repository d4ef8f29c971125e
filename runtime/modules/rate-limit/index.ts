export { type AdminServices, rateLimitAdmin } from "./admin-routes.ts";
export { connectCounters, PostgresWindow } from "./postgres-window.ts";
export {
  type Count,
  type Counter,
  type CounterStore,
  countRequest,
  defineLimits,
  type Hit,
  type Limit,
  type ModelLimits,
  modelCounters,
  type OperationCounter,
  type OperationCounters,
  type OperationLimit,
  type Quota,
  type RateLimiter,
  type RateLimits,
  rateLimits,
  requirePassed,
  routeCounter,
  secondsToWait,
  setQuotaHeaders,
  storageCounters,
} from "./rate-limits.ts";
export { RedisWindow } from "./redis-window.ts";
