import { nameBehind } from "../../../vocabulary/conditions/behind.ts";
import { rowItself } from "../../../vocabulary/conditions/conditions.ts";
import type { TextRange } from "../hints/condition-problem.ts";
import { type ConditionExpression, type Term, termsOf } from "./condition-tree.ts";

/** Where the expression of a definition goes. */
export interface Move {
  /** To the row that it is about. Empty for the current row. */
  readonly path: string;
  /** Of the call: all parts get its position. */
  readonly at: TextRange;
  /** Whether the model of the definition has a relation called `this`, which outside of EXISTS is not the row itself. */
  readonly hasThis: boolean;
}

/** The expression of a definition, about the row at the end of a path. */
export function movedBehind(expression: ConditionExpression, move: Move, depth = 0): ConditionExpression {
  const { at } = move;
  const behind = (name: string) => behindPath(name, move, depth);
  const term = (each: Term): Term =>
    each.kind === "field" ? { ...each, name: behind(each.name), at } : { ...each, at };
  const moved = (each: ConditionExpression, deeper = depth) => movedBehind(each, move, deeper);
  switch (expression.kind) {
    case "and":
    case "or":
      return { kind: expression.kind, items: expression.items.map((item) => moved(item)) };
    case "not":
      return { kind: "not", item: moved(expression.item) };
    case "exists": {
      const where = expression.where === null ? null : moved(expression.where, depth + 1);
      return { kind: "exists", path: behind(expression.path), where, at };
    }
    case "call":
      return { ...expression, path: behind(expression.path), at };
    case "compare":
    case "like":
    case "contains":
      return { ...expression, left: term(expression.left), right: term(expression.right), at };
    case "in":
    case "overlaps":
      return { ...expression, left: term(expression.left), values: expression.values.map(term), at };
    case "between": {
      const { left, from, to } = expression;
      return { ...expression, left: term(left), from: term(from), to: term(to), at };
    }
    case "null":
      return { ...expression, left: term(expression.left), at };
  }
}

/** Outside of EXISTS, `this` is the row itself, so it is left out. */
function behindPath(name: string, { path, hasThis }: Move, depth: number): string {
  const [first, ...rest] = name.split(".");
  const own = depth === 0 && first === rowItself && !hasThis ? rest.join(".") : name;
  return own === "" && depth === 0 ? path : nameBehind(path, own, depth);
}

/** Whether an expression uses `this`, the row that it is about. */
export function usesItself(expression: ConditionExpression): boolean {
  const isItself = (name: string) => name.split(".", 1)[0] === rowItself;
  switch (expression.kind) {
    case "and":
    case "or":
      return expression.items.some(usesItself);
    case "not":
      return usesItself(expression.item);
    case "exists":
      return isItself(expression.path) || (expression.where !== null && usesItself(expression.where));
    case "call":
      return isItself(expression.path);
    default:
      return termsOf(expression).some((term) => term.kind === "field" && isItself(term.name));
  }
}
