export { type AdminServices, rateLimitAdmin } from "./admin-routes.ts";
export { connectCounters } from "./connect-counters.ts";
export type * from "./counter-store.ts";
export * from "./model-limits.ts";
export type { OperationCounter } from "./operation-counter.ts";
export { PostgresWindow } from "./postgres-window.ts";
export { type Quota, requirePassed, secondsToWait, setQuotaHeaders } from "./quota.ts";
export * from "./rate-limits.ts";
export { RedisWindow } from "./redis-window.ts";
