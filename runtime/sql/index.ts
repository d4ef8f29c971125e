export { PlanCache } from "./plan-cache.ts";
