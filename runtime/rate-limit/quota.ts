import type { Count } from "./counter-store.ts";
import type { Limit } from "./limits.ts";

/** What is left to a caller after a request that was counted. */
export interface Quota {
  readonly maxRequests: number;
  readonly remaining: number;
  /** Unix timestamp in seconds: when the window ends. */
  readonly reset: number;
  /** Seconds until another request would pass; null for a request that passed. */
  readonly retryAfter: number | null;
  /** As the limit has it. */
  readonly setBy?: string | undefined;
}

/** The quota of the request at `position`, from zero, among those that were counted together. */
export function quotaOf({ maxRequests, setBy }: Limit, count: Count, position: number): Quota {
  const { granted, used, resetAt, now } = count;
  const isGranted = position < granted;
  return {
    maxRequests,
    remaining: isGranted ? Math.max(0, maxRequests - used + (granted - 1 - position)) : 0,
    reset: Math.ceil(resetAt / 1000),
    retryAfter: isGranted ? null : Math.max(1, Math.ceil((resetAt - now) / 1000)),
    setBy,
  };
}
