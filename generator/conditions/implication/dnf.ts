import { beginsAtItself, timeUnits } from "../../../vocabulary/conditions/conditions.ts";
import { type ComparisonSymbol, type Expression, type Term, termText } from "../language/condition-tree.ts";
import type { Demand, Hop, NamedWay, Naming, Path, Side, Way } from "./clause.ts";

/** So many ways of one condition are told apart. What has more is one demand, which only equals itself. */
const maxWays = 64;

/** The one way of one demand. */
function single(demand: Demand): readonly Way[] {
  return [new Map([[demand.key, demand]])];
}

/** The ways of OR. */
function anyOf(items: readonly (readonly Way[])[]): readonly Way[] {
  const ways = items.flat();
  return ways.length > maxWays ? [asDemand(ways)] : ways;
}

/** Distributes AND over OR, the items with the fewest ways first, whatever their order in the condition. */
function allOf(items: readonly (readonly Way[])[]): readonly Way[] {
  const sorted = items
    .map((ways) => ({ ways, text: keyOf(ways) }))
    .sort((a, b) => a.ways.length - b.ways.length || (a.text < b.text ? -1 : 1));
  let product: readonly Way[] = [new Map()];
  for (const { ways } of sorted) {
    const factor = product.length * ways.length > maxWays ? [asDemand(ways)] : ways;
    product = product.flatMap((way) => factor.map((other) => new Map([...way, ...other])));
  }
  return product;
}

function asDemand(ways: readonly Way[]): Way {
  const key = keyOf(ways);
  return new Map([[key, { key, text: `one of ${ways.length} alternatives`, kind: "other" }]]);
}

function keyOf(ways: readonly Way[]): string {
  return JSON.stringify(
    ways
      .map((way) => [...way.keys()].sort())
      .map((way) => JSON.stringify(way))
      .sort(),
  );
}

/** Where a part of a condition stands: at the row whose rule it is, or at one that an EXISTS around it leads to. */
interface At {
  readonly naming: Naming;
  /** The relations from the row whose rule it is. */
  readonly relations: readonly string[];
  readonly depth: number;
}

const turned: Readonly<Record<ComparisonSymbol, ComparisonSymbol>> = {
  "=": "=",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

/** A comparison, with what is read before what is given. */
function comparison(left: Term, symbol: ComparisonSymbol, right: Term, at: At): readonly Way[] {
  if (comesAfter(left, right, at)) return one(turned[symbol], [right, left], at);
  const isNull = right.kind === "value" && right.value === null;
  if (isNull && symbol === "=") return one("is null", [left], at);
  if (isNull && symbol === "!=") return one("is not null", [left], at);
  return one(symbol, [left, right], at);
}

/** What is read stands before what is given, and two columns in the order of their names. */
function comesAfter(left: Term, right: Term, at: At): boolean {
  const [first, second] = [left, right].map(({ kind }) => kind === "field" || kind === "user");
  if (first !== second) return second === true;
  return first === true && sideOf(left, at).name > sideOf(right, at).name;
}

/** A demand on one or two terms. */
function one(operator: string, terms: readonly Term[], at: At): readonly Way[] {
  const sides = terms.map((term) => sideOf(term, at));
  const moments = terms.flatMap((term) =>
    term.kind === "placeholder" && term.name === "now" ? [secondsOf(term)] : [],
  );
  const [moment = null] = moments;
  const [left = "", right] = terms.map(termText);
  return single({
    key: JSON.stringify([operator, moment, ...sides.map(({ name, hops }) => [name, countedOf(hops)])]),
    text: [left, operator.toUpperCase(), ...(right === undefined ? [] : [right])].join(" "),
    kind: "comparison",
    operator,
    sides,
    moment,
  });
}

function secondsOf({ offset }: Extract<Term, { kind: "placeholder" }>): number {
  return offset === undefined ? 0 : offset.amount * timeUnits[offset.unit];
}

function sideOf(term: Term, at: At): Side {
  switch (term.kind) {
    case "field": {
      const names = term.name.split(".");
      const column = names.pop() ?? "";
      const { start, hops, nameOf } = wayFrom(names, at);
      const leads = hops.map((hop) => hop.leads);
      return { name: JSON.stringify(["field", start, ...leads, nameOf(column)]), hops };
    }
    case "user":
      return { name: JSON.stringify(["user", at.naming.callerColumn(term.column)]), hops: [] };
    case "placeholder":
      return { name: JSON.stringify([term.name]), hops: [] };
    case "value":
      return {
        name: JSON.stringify(["value", typeof term.value, term.digits ?? String(term.value)]),
        hops: [],
      };
  }
}

/** Where a path leads. */
interface WayFrom extends Path, Pick<NamedWay, "nameOf"> {
  /** From the row whose rule it is. */
  readonly relations: readonly string[];
}

/** A path from the row at hand, or within EXISTS also from the row whose rule it is. */
function wayFrom(names: readonly string[], { naming, relations, depth }: At): WayFrom {
  const start = beginsAtItself(names, depth) ? "this" : "here";
  const all = start === "this" ? names.slice(1) : [...relations, ...names];
  if (all.length === 0) return { start, hops: [], relations: all, nameOf: (name) => naming.nameOf(name) };
  const known = naming.wayOf(all);
  const hops = known?.hops.slice(start === "this" ? 0 : relations.length) ?? [unknownHop()];
  return { start, hops, relations: all, nameOf: (name) => known?.nameOf(name) ?? name };
}

/** Nobody knows whether two such ones lead to the same rows. */
function unknownHop(): Hop {
  unknown++;
  return { leads: `unknown ${unknown}`, live: false, first: false, many: false };
}

let unknown = 0;

/** Which rows count on a path. */
function countedOf(hops: readonly Hop[]): string {
  return hops.map(({ live }) => (live ? "live" : "all")).join(" ");
}

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
