/** `kirak/rate-limit`, for limits in `policy.ts`. */
export {
  defineLimits,
  type Limit,
  type ModelLimits,
  type OperationLimit,
} from "../modules/rate-limit/index.ts";
