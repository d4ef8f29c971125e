import type { ServerResponse } from "node:http";
import { ServiceError } from "../errors/index.ts";
import type { Quota } from "./quota.ts";

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
