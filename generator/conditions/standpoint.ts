import { rowItself } from "../../vocabulary/conditions.ts";
import type { ConditionScope } from "./condition-scope.ts";

/** Where a name stands: in a condition on the rows of a model, perhaps within EXISTS. */
export interface Standpoint {
  /** The model whose fields names are. */
  readonly at: ConditionScope;
  /** The model whose rule it is. */
  readonly itself: ConditionScope;
  /** Levels of EXISTS around it. */
  readonly depth: number;
  /** The last relation of the path of the innermost EXISTS, as it is written; null outside. */
  readonly via: string | null;
  /** Whether it is the condition of a check, to which a password may be null. */
  readonly isCheck?: boolean;
}

/** Outside of EXISTS, where names are fields of the model whose rule it is. */
export function outside(scope: ConditionScope): Standpoint {
  return { at: scope, itself: scope, depth: 0, via: null };
}

/** Within EXISTS, at the end of its path. */
export function within(path: string, end: ConditionScope, from: Standpoint): Standpoint {
  return { ...from, at: end, depth: from.depth + 1, via: path.split(".").at(-1) ?? path };
}

/** Whether a path begins at the row whose rule it is: outside of EXISTS a relation called `this` keeps its meaning. */
export function startsAtItself([first]: readonly string[], { at, depth }: Standpoint): boolean {
  return first === rowItself && (depth > 0 || !at.relations.has(rowItself));
}
