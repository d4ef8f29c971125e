import { conditionLimits } from "../../../vocabulary/conditions/conditions.ts";
import type { ConditionProblem, TextRange } from "../hints/condition-problem.ts";
import type { ComparisonExpression, ConditionExpression } from "../language/condition-tree.ts";
import type { FoundRows } from "./condition-columns.ts";
import type { Standpoint } from "./condition-scope.ts";

/** What the compilation of a piece of a condition knows. */
export interface CompileContext extends Standpoint {
  /** The whole condition as it is written. */
  readonly text: string;
  /** What is stated of the row at hand: the whole condition, or that of the innermost EXISTS. */
  readonly around: ConditionExpression;
  readonly size: ConditionSize;
  note(problem: ConditionProblem): void;
}

/** A comparison, and where its operator is. */
export interface ComparisonContext extends CompileContext {
  /** Of the operator. */
  readonly operator: TextRange;
  readonly expression: ComparisonExpression;
}

/** A comparison at hand. */
export function comparisonContext(
  expression: ComparisonExpression,
  compiler: CompileContext,
): ComparisonContext {
  return { ...compiler, operator: expression.at, expression };
}

/** Where the whole of a comparison is. */
export function rangeOf(expression: ComparisonExpression, text: string): TextRange {
  const { offset } = expression.left.at;
  const last = (): TextRange => {
    switch (expression.kind) {
      case "compare":
      case "like":
      case "contains":
        return expression.right.at;
      case "between":
        return expression.to.at;
      case "null":
        return expression.at;
      case "in":
      case "overlaps": {
        const { at } = expression.values.at(-1) ?? expression;
        return { offset: text.indexOf(")", at.offset + at.length), length: 1 };
      }
    }
  };
  const end = last();
  return { offset, length: end.offset + end.length - offset };
}

/** How much a condition holds. The limits are those of the forms beyond a single `belongs_to`. */
export class ConditionSize {
  #relations = 0;
  /** Where the first relation too many is. */
  #excess: TextRange | null = null;
  #isNew = false;

  /** Takes note of a form that the language did not have at first. */
  useNewForm(): void {
    this.#isNew = true;
  }

  /** Takes note of a path. */
  usePath({ relations, fromItself }: FoundRows, at: TextRange): void {
    this.#relations += relations.length;
    if (this.#relations > conditionLimits.relations) this.#excess ??= at;
    this.#isNew ||= fromItself || relations.length > 1 || relations.some(({ kind }) => kind !== "belongs_to");
  }

  /** What is over a limit. */
  problems(text: string): ConditionProblem[] {
    if (!this.#isNew) return [];
    const excess = this.#excess;
    const { relations, characters } = conditionLimits;
    const many = `the condition goes over ${this.#relations} relations, more than ${relations}`;
    const length = [...text].length;
    const long = `the condition has ${length} characters, more than ${characters}`;
    const offset = [...text].slice(0, characters).join("").length;
    return [
      ...(excess === null ? [] : [tooLarge(excess, many)]),
      ...(length > characters ? [tooLarge({ offset, length: text.length - offset }, long)] : []),
    ];
  }
}

function tooLarge(at: TextRange, message: string): ConditionProblem {
  return { code: "condition-too-large", at, message, hint: "split the parts of OR into separate rules" };
}
