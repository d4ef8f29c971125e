import { conditionLimits } from "../../../vocabulary/conditions/conditions.ts";
import type { ConditionProblem, TextRange } from "../hints/condition-problem.ts";
import type { ComparisonExpression, ConditionExpression } from "../language/condition-tree.ts";
import type { FoundRows } from "./condition-columns.ts";
import type { NamePosition } from "./condition-scope.ts";

/** The context in which a part of a condition is compiled. */
export interface CompileContext extends NamePosition {
  /** The source text of the whole condition. */
  readonly text: string;
  /** All conditions on the current row: the whole condition, or that of the innermost EXISTS. */
  readonly around: ConditionExpression;
  readonly size: ConditionSize;
  /** The text of the call whose definition this is a part of, or null. */
  readonly call: string | null;
  note(problem: ConditionProblem): void;
}

/** A comparison with the position of its operator. */
export interface ComparisonContext extends CompileContext {
  /** Position of the operator. */
  readonly operator: TextRange;
  readonly expression: ComparisonExpression;
}

/** The context of a comparison. */
export function comparisonContext(
  expression: ComparisonExpression,
  compiler: CompileContext,
): ComparisonContext {
  return { ...compiler, operator: expression.at, expression };
}

/** The text range of a comparison. */
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

/** The size of a condition. Limits apply only to conditions with more than a single `belongs_to`. */
export class ConditionSize {
  #relations = 0;
  #calls = 0;
  /** Position of the first relation over the limit, and the call that it is in. */
  #excess: { readonly at: TextRange; readonly call: string | null } | null = null;
  #isNew = false;

  /** Notes a form for which the limits apply. */
  useNewForm(): void {
    this.#isNew = true;
  }

  /** Counts the relations of a path. */
  usePath({ relations, fromItself }: FoundRows, at: TextRange, call: string | null): void {
    this.#relations += relations.length;
    if (this.#relations > conditionLimits.relations) this.#excess ??= { at, call };
    this.#isNew ||= fromItself || relations.length > 1 || relations.some(({ kind }) => kind !== "belongs_to");
  }

  /** Counts a call, also one in the definition of another. Returns false for the first one over the limit, and for later ones. */
  useCall(): boolean {
    this.#calls++;
    return this.#calls <= conditionLimits.calls;
  }

  /** The limits that are exceeded. A definition is a new form, and so is a condition with calls, but what it means can be an old one. */
  problems(text: string, isDefinition: boolean): ConditionProblem[] {
    const { relations, characters, calls } = conditionLimits;
    if (this.#calls > calls)
      return [
        tooLarge(
          { offset: 0, length: text.length },
          `the condition makes more than ${calls} calls, with those of its definitions`,
        ),
      ];
    const excess = this.#isNew ? this.#excess : null;
    const called = excess?.call == null ? "" : ` with those of ${excess.call}`;
    const many = `the condition uses ${this.#relations} relations${called}, more than ${relations}`;
    const length = this.#isNew || isDefinition || this.#calls > 0 ? [...text].length : 0;
    const long = `the condition has ${length} characters, more than ${characters}`;
    const offset = [...text].slice(0, characters).join("").length;
    return [
      ...(excess === null ? [] : [tooLarge(excess.at, many)]),
      ...(length > characters ? [tooLarge({ offset, length: text.length - offset }, long)] : []),
    ];
  }
}

function tooLarge(at: TextRange, message: string): ConditionProblem {
  return { code: "condition-too-large", at, message, hint: "split the parts of OR into separate rules" };
}
