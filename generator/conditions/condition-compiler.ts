import type { ConditionProblem } from "./condition-problem.ts";
import type { ConditionSize } from "./condition-size.ts";
import type { Standpoint } from "./standpoint.ts";

/** What the compilation of a piece of a condition knows. */
export interface Compiler extends Standpoint {
  /** The whole condition as it is written. */
  readonly text: string;
  readonly size: ConditionSize;
  note(problem: ConditionProblem): void;
}
