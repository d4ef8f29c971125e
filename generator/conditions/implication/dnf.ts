import { startsAtRuleRow, timeUnits } from "../../../vocabulary/conditions/conditions.ts";
import {
  type ComparisonSymbol,
  type ConditionExpression,
  type Term,
  termText,
} from "../language/condition-tree.ts";
import type {
  Clause,
  ClauseLiteral,
  ClausePath,
  ConditionNames,
  NamedHop,
  NamedPath,
  Side,
} from "./clause.ts";

/** Most clauses of a condition. A larger condition becomes one literal, which equals only itself. */
const maxClauses = 64;

/** A single clause with a single literal. */
function single(literal: ClauseLiteral): readonly Clause[] {
  return [new Map([[literal.key, literal]])];
}

/** The clauses of OR. */
function anyOf(items: readonly (readonly Clause[])[]): readonly Clause[] {
  const clauses = items.flat();
  return clauses.length > maxClauses ? [asLiteral(clauses)] : clauses;
}

/** Distributes AND over OR, in an order that does not depend on the order in the condition. */
function allOf(items: readonly (readonly Clause[])[]): readonly Clause[] {
  const sorted = items
    .map((clauses) => ({ clauses, text: keyOf(clauses) }))
    .sort((a, b) => a.clauses.length - b.clauses.length || (a.text < b.text ? -1 : 1));
  let product: readonly Clause[] = [new Map()];
  for (const { clauses } of sorted) {
    const factor = product.length * clauses.length > maxClauses ? [asLiteral(clauses)] : clauses;
    product = product.flatMap((clause) => factor.map((other) => new Map([...clause, ...other])));
  }
  return product;
}

function asLiteral(clauses: readonly Clause[]): Clause {
  const key = keyOf(clauses);
  return new Map([[key, { key, text: `one of ${clauses.length} alternatives`, kind: "other" }]]);
}

function keyOf(clauses: readonly Clause[]): string {
  return JSON.stringify(
    clauses
      .map((clause) => [...clause.keys()].sort())
      .map((clause) => JSON.stringify(clause))
      .sort(),
  );
}

/** The position within a condition: at the row with the rule, or at the rows of an EXISTS. */
interface At {
  readonly naming: ConditionNames;
  /** The relations from the row with the rule. */
  readonly relations: readonly string[];
  readonly depth: number;
}

const mirrored: Readonly<Record<ComparisonSymbol, ComparisonSymbol>> = {
  "=": "=",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

/** A comparison, with columns on the left. */
function comparison(left: Term, symbol: ComparisonSymbol, right: Term, at: At): readonly Clause[] {
  if (comesAfter(left, right, at)) return one(mirrored[symbol], [right, left], at);
  const isNull = right.kind === "value" && right.value === null;
  if (isNull && symbol === "=") return one("is null", [left], at);
  if (isNull && symbol === "!=") return one("is not null", [left], at);
  return one(symbol, [left, right], at);
}

/** Columns come before values, and two columns in the order of their names. */
function comesAfter(left: Term, right: Term, at: At): boolean {
  const [first, second] = [left, right].map(({ kind }) => kind === "field" || kind === "user");
  if (first !== second) return second === true;
  return first === true && sideOf(left, at).name > sideOf(right, at).name;
}

/** A literal with one or two terms. */
function one(operator: string, terms: readonly Term[], at: At): readonly Clause[] {
  const sides = terms.map((term) => sideOf(term, at));
  const moments = terms.flatMap((term) =>
    term.kind === "placeholder" && term.name === "now" ? [offsetSeconds(term)] : [],
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

function offsetSeconds({ offset }: Extract<Term, { kind: "placeholder" }>): number {
  return offset === undefined ? 0 : offset.amount * timeUnits[offset.unit];
}

function sideOf(term: Term, at: At): Side {
  switch (term.kind) {
    case "field": {
      const names = term.name.split(".");
      const column = names.pop() ?? "";
      const { start, hops, nameOf } = resolvePath(names, at);
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

/** The end of a path. */
interface ResolvedPath extends ClausePath, Pick<NamedPath, "nameOf"> {
  /** The relations from the row with the rule. */
  readonly relations: readonly string[];
}

/** Resolves a path from the current row, or within EXISTS also from the row with the rule. */
function resolvePath(names: readonly string[], { naming, relations, depth }: At): ResolvedPath {
  const start = startsAtRuleRow(names, depth) ? "this" : "here";
  const all = start === "this" ? names.slice(1) : [...relations, ...names];
  if (all.length === 0) return { start, hops: [], relations: all, nameOf: (name) => naming.nameOf(name) };
  const known = naming.pathOf(all);
  const hops = known?.hops.slice(start === "this" ? 0 : relations.length) ?? [unknownHop()];
  return { start, hops, relations: all, nameOf: (name) => known?.nameOf(name) ?? name };
}

/** Two unknown relations never count as equal. */
function unknownHop(): NamedHop {
  unknown++;
  return { leads: `unknown ${unknown}`, live: false, first: false, many: false };
}

let unknown = 0;

/** Which rows count on a path. */
function countedOf(hops: readonly NamedHop[]): string {
  return hops.map(({ live }) => (live ? "live" : "all")).join(" ");
}

/**
 * The disjunctive normal form of a condition. NOT moves inwards by De Morgan and inverts comparisons, which keeps the
 * result for NULL. IN becomes `=` for each value, BETWEEN two comparisons. A row fulfils one clause, so EXISTS with several
 * clauses becomes an OR of several EXISTS, and NOT EXISTS an AND.
 */
export function dnfOf(expression: ConditionExpression, naming: ConditionNames): readonly Clause[] {
  return treeClauses(expression, { naming, relations: [], depth: 0 }, false);
}

function treeClauses(expression: ConditionExpression, at: At, negated: boolean): readonly Clause[] {
  switch (expression.kind) {
    case "and":
    case "or": {
      const items = expression.items.map((item) => treeClauses(item, at, negated));
      return (expression.kind === "or") === negated ? allOf(items) : anyOf(items);
    }
    case "not":
      return treeClauses(expression.item, at, !negated);
    case "exists":
      return existsClauses(expression, at, negated);
    // A call without a definition equals only itself.
    case "call": {
      const { name, path } = expression;
      const { start, hops } = resolvePath(path === "" ? [] : path.split("."), at);
      const leads = hops.map((hop) => hop.leads);
      const key = JSON.stringify(["call", negated, name, start, leads, countedOf(hops)]);
      return single({ key, text: `${negated ? "NOT " : ""}${name}(${path})`, kind: "other" });
    }
    case "in": {
      const values = expression.values.map((value) =>
        comparison(expression.left, expression.negated === negated ? "=" : "!=", value, at),
      );
      return expression.negated === negated ? anyOf(values) : allOf(values);
    }
    case "contains":
      return one(negated ? "not contains" : "contains", [expression.left, expression.right], at);
    // OVERLAPS means that the list contains one of the values, as in IN.
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

/** All values except NULL are ordered, so a value that is not less is equal or greater. */
const opposites: Readonly<Record<ComparisonSymbol, ComparisonSymbol>> = {
  "=": "!=",
  "!=": "=",
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
};

function existsClauses(
  { path, where }: Extract<ConditionExpression, { kind: "exists" }>,
  at: At,
  negated: boolean,
): readonly Clause[] {
  const { start, hops, relations } = resolvePath(path.split("."), at);
  const inner =
    where === null
      ? [new Map<string, ClauseLiteral>()]
      : treeClauses(where, { ...at, relations, depth: at.depth + 1 }, false);
  const found = inner.map((clause) => single(existsLiteral(path, { start, hops }, clause, negated)));
  return negated ? allOf(found) : anyOf(found);
}

function existsLiteral(name: string, path: ClausePath, clause: Clause, negated: boolean): ClauseLiteral {
  const { start, hops } = path;
  const kind = negated ? "not exists" : "exists";
  const where = [...clause.values()].map(({ text }) => text).join(" AND ");
  return {
    key: JSON.stringify([
      kind,
      start,
      hops.map(({ leads }) => leads),
      countedOf(hops),
      [...clause.keys()].sort(),
    ]),
    text: `${kind.toUpperCase()} (${name}${where === "" ? "" : ` WHERE ${where}`})`,
    kind: "exists",
    negated,
    path,
    clause,
  };
}
