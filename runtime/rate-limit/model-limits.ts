import type { CountedPer, Limit as PlainLimit } from "../../vocabulary/limits.ts";
import type { Operation } from "../../vocabulary/operations.ts";

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
