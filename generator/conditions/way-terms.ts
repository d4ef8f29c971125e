import { beginsAtItself, timeUnits } from "../../vocabulary/conditions.ts";
import type { ComparisonSymbol, Term } from "./condition-tree.ts";
import type { Path, Side, Way } from "./demands.ts";
import { termText } from "./expression-text.ts";
import type { Hop, NamedWay, Naming } from "./naming.ts";
import { single } from "./way-sums.ts";

/** Where a part of a condition stands: at the row whose rule it is, or at one that an EXISTS around it leads to. */
export interface At {
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
export function comparison(left: Term, symbol: ComparisonSymbol, right: Term, at: At): readonly Way[] {
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
export function one(operator: string, terms: readonly Term[], at: At): readonly Way[] {
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
export interface WayFrom extends Path, Pick<NamedWay, "nameOf"> {
  /** From the row whose rule it is. */
  readonly relations: readonly string[];
}

/** A path from the row at hand, or within EXISTS also from the row whose rule it is. */
export function wayFrom(names: readonly string[], { naming, relations, depth }: At): WayFrom {
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
export function countedOf(hops: readonly Hop[]): string {
  return hops.map(({ live }) => (live ? "live" : "all")).join(" ");
}
