import type { ConditionProblem } from "../hints/condition-problem.ts";
import type { Expression } from "../language/condition-tree.ts";
import type { Standpoint } from "./condition-scope.ts";
import type { ConditionSize } from "./condition-size.ts";

/** What the compilation of a piece of a condition knows. */
export interface Compiler extends Standpoint {
  /** The whole condition as it is written. */
  readonly text: string;
  /** What is said of the row at hand: the whole condition, or that of the innermost EXISTS. */
  readonly around: Expression;
  readonly size: ConditionSize;
  note(problem: ConditionProblem): void;
}
