import type { ComparisonSymbol, Expression } from "./condition-tree.ts";
import type { Demand, Path, Way } from "./demands.ts";
import type { Naming } from "./naming.ts";
import { allOf, anyOf, single } from "./way-sums.ts";
import { type At, comparison, countedOf, one, wayFrom } from "./way-terms.ts";

/**
 * The ways to fulfil a condition: OR of ANDs, without NOT. Each step keeps the outcome for NULL as well: NOT goes inwards by
 * De Morgan and turns a comparison round, a list is `=` of each value, a range two comparisons, and AND is distributed over OR.
 * One row fulfils one way, so that EXISTS of several ways is one of several EXISTS, and NOT EXISTS none of them.
 */
export function waysOf(expression: Expression, naming: Naming): readonly Way[] {
  return treeWays(expression, { naming, relations: [], depth: 0 }, false);
}

function treeWays(expression: Expression, at: At, negated: boolean): readonly Way[] {
  switch (expression.kind) {
    case "and":
    case "or": {
      const items = expression.items.map((item) => treeWays(item, at, negated));
      return (expression.kind === "or") === negated ? allOf(items) : anyOf(items);
    }
    case "not":
      return treeWays(expression.item, at, !negated);
    case "exists":
      return existsWays(expression, at, negated);
    case "in": {
      const values = expression.values.map((value) =>
        comparison(expression.left, expression.negated === negated ? "=" : "!=", value, at),
      );
      return expression.negated === negated ? anyOf(values) : allOf(values);
    }
    case "contains":
      return one(negated ? "not contains" : "contains", [expression.left, expression.right], at);
    // As a list of IN is: it contains one of them.
    case "overlaps": {
      const { left, values } = expression;
      const operator = negated ? "not contains" : "contains";
      const found = values.map((value) => one(operator, [left, value], at));
      return negated ? allOf(found) : anyOf(found);
    }
    case "between": {
      const { left, from, to } = expression;
      return expression.negated === negated
        ? allOf([comparison(left, ">=", from, at), comparison(left, "<=", to, at)])
        : anyOf([comparison(left, "<", from, at), comparison(left, ">", to, at)]);
    }
    case "compare": {
      const symbol = negated ? opposites[expression.symbol] : expression.symbol;
      return comparison(expression.left, symbol, expression.right, at);
    }
    case "like": {
      const { left, right, fold } = expression;
      const operator = `${expression.negated === negated ? "" : "not "}${fold ? "ilike" : "like"}`;
      return one(operator, [left, right], at);
    }
    case "null":
      return one(expression.negated === negated ? "is null" : "is not null", [expression.left], at);
  }
}

/** Every value but NULL is in order with every other one, so that what is not less is equal or greater. */
const opposites: Readonly<Record<ComparisonSymbol, ComparisonSymbol>> = {
  "=": "!=",
  "!=": "=",
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
};

function existsWays(
  { path, where }: Extract<Expression, { kind: "exists" }>,
  at: At,
  negated: boolean,
): readonly Way[] {
  const { start, hops, relations } = wayFrom(path.split("."), at);
  const inner =
    where === null
      ? [new Map<string, Demand>()]
      : treeWays(where, { ...at, relations, depth: at.depth + 1 }, false);
  const found = inner.map((way) => single(existsDemand(path, { start, hops }, way, negated)));
  return negated ? allOf(found) : anyOf(found);
}

function existsDemand(name: string, path: Path, way: Way, negated: boolean): Demand {
  const { start, hops } = path;
  const kind = negated ? "not exists" : "exists";
  const where = [...way.values()].map(({ text }) => text).join(" AND ");
  return {
    key: JSON.stringify([
      kind,
      start,
      hops.map(({ leads }) => leads),
      countedOf(hops),
      [...way.keys()].sort(),
    ]),
    text: `${kind.toUpperCase()} (${name}${where === "" ? "" : ` WHERE ${where}`})`,
    kind: "exists",
    negated,
    path,
    way,
  };
}
