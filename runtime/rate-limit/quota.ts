import type { ServerResponse } from "node:http";
import { ServiceError } from "../errors/index.ts";
import type { Count } from "./counter-store.ts";
import type { Limit } from "./model-limits.ts";

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

/** The three headers of a request for a model that was counted (contract: "Rate limiting (CRUD and auth)", 6). */
export function setQuotaHeaders(response: ServerResponse, { maxRequests, remaining, reset }: Quota): void {
  response.setHeader("X-RateLimit-Limit", maxRequests);
  response.setHeader("X-RateLimit-Remaining", remaining);
  response.setHeader("X-RateLimit-Reset", reset);
}

/** Until a request would pass that was counted with these results; 0 for one that passed. */
export function secondsToWait(...quotas: readonly (Quota | null)[]): number {
  let seconds = 0;
  for (const quota of quotas) seconds = Math.max(seconds, quota?.retryAfter ?? 0);
  return seconds;
}

/**
 * Refuses what exceeded a limit. Outside production it names the key that sets the one with the longest wait. Errors: 429
 * `RATE_LIMIT_EXCEEDED` with `Retry-After` in seconds.
 */
export function requirePassed(...quotas: readonly (Quota | null)[]): void {
  const seconds = secondsToWait(...quotas);
  if (seconds === 0) return;
  const when = seconds === 1 ? "1 second" : `${seconds} seconds`;
  const setBy = quotas.find((quota) => quota?.retryAfter === seconds)?.setBy;
  const advice = setBy === undefined ? "" : ` While you develop, raise ${setBy}.`;
  const message = `Too many requests. Try again in ${when}.${advice}`;
  const headers = { "Retry-After": String(seconds) };
  throw new ServiceError("RATE_LIMIT_EXCEEDED", message, undefined, { headers });
}
