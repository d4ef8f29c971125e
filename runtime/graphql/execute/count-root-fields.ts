import type { Operation } from "../../../vocabulary/operations.ts";
import type { Principal } from "../../access/index.ts";
import { type OperationCounters, requirePassed, secondsToWait } from "../../rate-limit/index.ts";
import type { Variables } from "../document/index.ts";
import { listOperation } from "../plan/plan-list.ts";
import type { Root, TypenameRoot } from "../plan/roots.ts";
import { inRoot } from "../root-failure.ts";

/** What the root fields of a request are counted by. */
export interface RootLimits {
  /** By model key; empty where limits are off. */
  readonly counters: ReadonlyMap<string, OperationCounters>;
  readonly principal: Principal;
  /** Where the request comes from. */
  readonly address: () => string;
}

/**
 * Counts each root field as a request for its operation, as over REST (decisions, part 6). All are counted, in one call to
 * the store, and none runs where one of them exceeds its limit. Errors: 429 `RATE_LIMIT_EXCEEDED` with the longest
 * `Retry-After`, as `RootFailure` of the field that waits so long.
 */
export async function limitRoots(
  roots: readonly Root[],
  variables: Variables,
  { counters, principal, address }: RootLimits,
): Promise<void> {
  if (counters.size === 0) return;
  const from = address();
  const counted = roots.filter((root) => root.kind !== "typename");
  const taken = counted.map((root) => {
    const counter = counters.get(root.member.model.key)?.get(operationOf(root, variables));
    return counter?.take(principal, from) ?? null;
  });
  const quotas = await Promise.all(taken);
  const longest = secondsToWait(...quotas);
  const last = counted[quotas.findIndex((quota) => secondsToWait(quota) === longest)];
  if (last !== undefined) inRoot(last.key, () => requirePassed(...quotas));
}

/** The operation that a root field is. */
function operationOf(root: Exclude<Root, TypenameRoot>, variables: Variables): Operation {
  if (root.kind === "mutation") return root.verb;
  return root.kind === "aggregate" ? "search" : listOperation(root, variables);
}
