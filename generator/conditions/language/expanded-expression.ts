import type { ConditionExpression } from "./condition-tree.ts";
import { movedBehind } from "./moved-expression.ts";

/** The definitions of named conditions; null for a name that stays. */
export type DefinitionOf = (name: string) => ConditionExpression | null;

/** A printed condition with what its calls mean. In printed conditions, `this` outside of EXISTS is always a relation. */
export function expandedExpression(
  expression: ConditionExpression,
  definitions: DefinitionOf,
): ConditionExpression {
  switch (expression.kind) {
    case "and":
    case "or":
      return { ...expression, items: expression.items.map((item) => expandedExpression(item, definitions)) };
    case "not":
      return { ...expression, item: expandedExpression(expression.item, definitions) };
    case "exists": {
      const { where } = expression;
      return { ...expression, where: where && expandedExpression(where, definitions) };
    }
    case "call": {
      const { name, path, at } = expression;
      const definition = definitions(name);
      if (definition === null) return expression;
      // A damaged text could have a cycle.
      const others = (other: string) => (other === name ? null : definitions(other));
      return expandedExpression(movedBehind(definition, { path, at, hasThis: true }), others);
    }
    default:
      return expression;
  }
}
