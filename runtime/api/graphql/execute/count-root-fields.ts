import type { Caller } from "../../../data/operations/index.ts";
import { type OperationCounters, requirePassed, secondsToWait } from "../../../modules/rate-limit/index.ts";
import type { Variables } from "../document/index.ts";
import type { Root } from "../plan/roots.ts";
import { inRoot } from "../root-failure.ts";

/** Counters by model key; empty where limits are off. */
export type RootCounters = ReadonlyMap<string, OperationCounters>;

/**
 * Counts each root field as a request for its operation, as over REST (decisions, part 6). All are counted, in one call to
 * the store, and none runs where one of them exceeds its limit. Errors: 429 `RATE_LIMIT_EXCEEDED` with the longest
 * `Retry-After`, as `RootFailure` of the field that waits so long.
 */
export async function limitRoots(
  roots: readonly Root[],
  variables: Variables,
  { principal, address, trace }: Caller,
  counters: RootCounters,
): Promise<void> {
  const step = trace.begin("limit");
  const counted = roots.filter((root) => root.kind !== "typename");
  const taken = counted.map((root) => {
    const counter = counters.get(root.member.model.key)?.get(root.operation(variables));
    return counter?.take(principal, address) ?? null;
  });
  const quotas = await Promise.all(taken);
  trace.end(step);
  const longest = secondsToWait(...quotas);
  if (longest === 0) return;
  const last = counted[quotas.findIndex((quota) => secondsToWait(quota) === longest)];
  if (last !== undefined) inRoot(last.key, () => requirePassed(...quotas));
}
