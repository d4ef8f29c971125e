import type { ComparisonSymbol, Expression, Term } from "./condition-tree.ts";

/** Demands in one spelling; a row is open where all of them hold. */
export type Way = ReadonlySet<string>;

/** What each field is called when conditions are compared. */
type NameOf = (field: string) => string;

/** So many ways of one condition are told apart. What has more is one demand, which only equals itself. */
const maxWays = 64;

/**
 * The ways to fulfil a condition: OR of ANDs, without NOT. Each step keeps the outcome for NULL as well: NOT goes inwards by
 * De Morgan and turns a comparison round, a list is `=` of each value, a range two comparisons, and AND is distributed over OR.
 */
export function waysOf(expression: Expression, nameOf: NameOf, negated = false): readonly Way[] {
  switch (expression.kind) {
    case "and":
    case "or": {
      const items = expression.items.map((item) => waysOf(item, nameOf, negated));
      return (expression.kind === "or") === negated ? allOf(items) : anyOf(items);
    }
    case "not":
      return waysOf(expression.item, nameOf, !negated);
    case "in": {
      const values = expression.values.map((value) =>
        comparison(expression.left, expression.negated === negated ? "=" : "!=", value, nameOf),
      );
      return expression.negated === negated ? anyOf(values) : allOf(values);
    }
    case "between": {
      const { left, from, to } = expression;
      return expression.negated === negated
        ? allOf([comparison(left, ">=", from, nameOf), comparison(left, "<=", to, nameOf)])
        : anyOf([comparison(left, "<", from, nameOf), comparison(left, ">", to, nameOf)]);
    }
    case "compare": {
      const symbol = negated ? opposites[expression.symbol] : expression.symbol;
      return comparison(expression.left, symbol, expression.right, nameOf);
    }
    case "like": {
      const { left, right, fold } = expression;
      return one(
        [left, `${expression.negated === negated ? "" : "not "}${fold ? "ilike" : "like"}`, right],
        nameOf,
      );
    }
    // One demand, which only equals itself.
    case "exists":
      return one([negated ? "not exists" : "exists", withoutPlaces(expression)], nameOf);
    case "null":
      return one([expression.left, expression.negated === negated ? "is null" : "is not null"], nameOf);
  }
}

function withoutPlaces(expression: Expression): string {
  return JSON.stringify(expression, (key, part: unknown) => (key === "at" ? undefined : part));
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

const turned: Readonly<Record<ComparisonSymbol, ComparisonSymbol>> = {
  "=": "=",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

function comparison(left: Term, symbol: ComparisonSymbol, right: Term, nameOf: NameOf): readonly Way[] {
  if (left.kind !== "field" && right.kind === "field") return comparison(right, turned[symbol], left, nameOf);
  const isNull = right.kind === "value" && right.value === null;
  if (isNull && symbol === "=") return one([left, "is null"], nameOf);
  if (isNull && symbol === "!=") return one([left, "is not null"], nameOf);
  return one([left, symbol, right], nameOf);
}

function one(parts: readonly (Term | string)[], nameOf: NameOf): readonly Way[] {
  const texts = parts.map((part) => (typeof part === "string" ? part : termText(part, nameOf)));
  return [new Set([JSON.stringify(texts)])];
}

function termText(term: Term, nameOf: NameOf): string {
  if (term.kind === "field") return `field ${nameOf(term.name)}`;
  if (term.kind === "user") return `{user.${term.column}}`;
  if (term.kind === "value") return `${typeof term.value} ${term.value}`;
  const { name, offset } = term;
  return offset === undefined ? `{${name}}` : `{${name}} ${offset.amount} ${offset.unit}`;
}

function anyOf(items: readonly (readonly Way[])[]): readonly Way[] {
  const ways = items.flat();
  return ways.length > maxWays ? [asDemand(ways)] : ways;
}

/** Distributes AND over OR, the items with the fewest ways first, whatever their order in the condition. */
function allOf(items: readonly (readonly Way[])[]): readonly Way[] {
  const sorted = items
    .map((ways) => ({ ways, text: textOf(ways) }))
    .sort((a, b) => a.ways.length - b.ways.length || (a.text < b.text ? -1 : 1));
  let product: readonly Way[] = [new Set()];
  for (const { ways } of sorted) {
    const factor = product.length * ways.length > maxWays ? [asDemand(ways)] : ways;
    product = product.flatMap((way) => factor.map((other) => new Set([...way, ...other])));
  }
  return product;
}

function asDemand(ways: readonly Way[]): Way {
  return new Set([textOf(ways)]);
}

function textOf(ways: readonly Way[]): string {
  return JSON.stringify(
    ways
      .map((way) => [...way].sort())
      .map((way) => JSON.stringify(way))
      .sort(),
  );
}
