import type { ConditionExpression } from "../language/condition-tree.ts";
import { findRows } from "./condition-columns.ts";
import { type NamePosition, scopeWithin } from "./condition-scope.ts";
import { findCall } from "./find-call.ts";

/** The expression with what its calls mean. Invalid calls stay: they are reported elsewhere. */
export function withoutCalls(expression: ConditionExpression, from: NamePosition): ConditionExpression {
  switch (expression.kind) {
    case "and":
    case "or":
      return { ...expression, items: expression.items.map((item) => withoutCalls(item, from)) };
    case "not":
      return { ...expression, item: withoutCalls(expression.item, from) };
    case "exists": {
      const { path, where } = expression;
      const found = findRows(path, from);
      if (where === null || "message" in found) return expression;
      return { ...expression, where: withoutCalls(where, scopeWithin(path, found.end, from)) };
    }
    case "call": {
      const found = findCall(expression, from);
      if (found === null || "message" in found) return expression;
      return withoutCalls(found.means, { ...from, within: [...from.within, expression.name] });
    }
    default:
      return expression;
  }
}
