import { elementKindOf, fieldKinds } from "../../vocabulary/field-kinds.ts";
import type { ComparisonExpression } from "./condition-tree.ts";
import { termText } from "./expression-text.ts";
import type { Called } from "./fit.ts";

/** What to write where a list is asked as a value is, or a value as a list; null where nothing says the same. */
export function listHint(
  { called, column: { kind } }: Called,
  expression: ComparisonExpression,
): string | null {
  if (kind === null) return null;
  return elementKindOf(kind) === null
    ? ofValue(called, fieldKinds[kind].compared, expression)
    : ofList(called, expression);
}

function ofList(called: string, expression: ComparisonExpression): string | null {
  switch (expression.kind) {
    case "compare": {
      const { symbol, left, right } = expression;
      const value = left.kind === "field" ? right : left;
      if (value.kind === "field" || (symbol !== "=" && symbol !== "!=")) return null;
      return `write ${symbol === "=" ? "" : "NOT "}${called} CONTAINS ${termText(value)}`;
    }
    case "in": {
      const values = expression.values.map(termText).join(", ");
      return `write ${expression.negated ? "NOT " : ""}${called} OVERLAPS (${values})`;
    }
    case "like":
      return `an element is asked for as a whole: write ${called} CONTAINS …`;
    default:
      return null;
  }
}

function ofValue(called: string, compared: string, expression: ComparisonExpression): string | null {
  if (compared === "for null" || compared === "never") return null;
  if (expression.kind === "overlaps")
    return `write ${called} IN (${expression.values.map(termText).join(", ")})`;
  if (expression.kind !== "contains") return null;
  const whole = `write ${called} = ${termText(expression.right)}`;
  return compared === "as text" ? `${whole}, or ${called} LIKE '%…%' for a part of a text` : whole;
}
