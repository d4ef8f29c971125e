import type { Place } from "../hints/condition-problem.ts";
import type { ComparisonExpression } from "../language/condition-tree.ts";
import type { Compiler } from "./condition-compiler.ts";

/** A comparison, and where its operator stands. */
export interface Comparing extends Compiler {
  /** Of the operator. */
  readonly operator: Place;
  readonly expression: ComparisonExpression;
}

/** A comparison at hand. */
export function comparingOf(expression: ComparisonExpression, compiler: Compiler): Comparing {
  return { ...compiler, operator: expression.at, expression };
}

/** Where the whole of a comparison stands. */
export function placeOf(expression: ComparisonExpression, text: string): Place {
  const { offset } = expression.left.at;
  const last = (): Place => {
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
