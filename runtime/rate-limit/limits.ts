import type { Operation } from "../access/index.ts";

/** How many requests are let through in a window (contract: "Rate limiting (CRUD and auth)"). */
export interface Limit {
  readonly maxRequests: number;
  readonly windowSeconds: number;
  /** The key that sets it, for whoever develops; left out in production. */
  readonly setBy?: string;
}

/** What an operation of a model is counted by: the caller's address, the user, or nothing. */
export type CountedPer = "ip" | "user" | "model";

/** The limit of one operation of a model. */
export interface OperationLimit extends Limit {
  readonly per: CountedPer;
}

/** The limits that a model has of its own. What is not named has the manifest's default, by address. */
export type ModelLimits = { readonly [Op in Operation]?: OperationLimit | "off" };

/** Declares the limits of a model, as `generated/models/<key>/policy.ts` does. */
export function defineLimits(limits: ModelLimits): ModelLimits {
  return limits;
}
