import { ServiceError } from "../../core/errors/index.ts";
import type { CodeOrigin } from "./code-context.ts";

/** Hooks may call each other so deep (decisions, part 13). */
const deepest = 8;

/** The chain of what no hook has called. */
export const noneUnderWay: readonly string[] = Object.freeze([]);

/** What a hook runs for, once it is one of those under way. Errors: 500 `INTERNAL_ERROR` where that is too deep; the log has the chain. */
export function withinHook<Origin extends Pick<CodeOrigin, "chain">>(origin: Origin, hook: string): Origin {
  const chain = [...origin.chain, hook];
  if (chain.length <= deepest) return { ...origin, chain };
  throw new ServiceError("INTERNAL_ERROR", undefined, undefined, {
    cause: new Error(`hooks call each other more than ${deepest} deep: ${chain.join(" > ")}`),
  });
}
