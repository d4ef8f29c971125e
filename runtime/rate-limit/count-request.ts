import type { ServerResponse } from "node:http";
import type { Principal } from "../access/index.ts";
import type { Trace } from "../tracing/index.ts";
import type { OperationCounter } from "./operation-counter.ts";
import { requirePassed, setQuotaHeaders } from "./quota.ts";

/** Whose request is counted. */
interface Counted {
  readonly principal: Principal;
  readonly address: string;
  /** It has the step `limit`. */
  readonly trace: Trace;
}

/**
 * Counts a request of an operation, where that has a limit. Sets the headers of a request that was counted, which stand on whatever
 * is answered, and refuses it beyond its limit. Errors: 429 `RATE_LIMIT_EXCEEDED`.
 */
export async function countRequest(
  counter: OperationCounter | undefined,
  { principal, address, trace }: Counted,
  response: ServerResponse,
): Promise<void> {
  if (counter === undefined) return;
  const step = trace.begin("limit");
  const quota = await counter.take(principal, address);
  trace.end(step);
  if (quota === null) return;
  setQuotaHeaders(response, quota);
  requirePassed(quota);
}
