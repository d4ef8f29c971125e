import type { Moment, PlaceholderName } from "../../../vocabulary/conditions/conditions.ts";
import type { TextRange } from "../hints/condition-problem.ts";

export type ComparisonSymbol = "=" | "!=" | "<" | "<=" | ">" | ">=";

/** One side of a comparison. */
export type Term =
  | { readonly kind: "field"; readonly name: string; readonly at: TextRange }
  | {
      readonly kind: "value";
      readonly value: string | number | boolean | null;
      /** The written digits, if a JavaScript number cannot hold all of them. */
      readonly digits?: string;
      readonly at: TextRange;
    }
  | {
      readonly kind: "placeholder";
      readonly name: PlaceholderName;
      /** Only for `now()`. */
      readonly offset?: Moment["offset"];
      readonly at: TextRange;
    }
  /** `{user.team}` */
  | { readonly kind: "user"; readonly column: string; readonly at: TextRange };

/** A parsed condition; `<>` is `!=`. Parentheses only affect the nesting. */
export type ConditionExpression =
  | { readonly kind: "and" | "or"; readonly items: readonly ConditionExpression[] }
  | { readonly kind: "not"; readonly item: ConditionExpression }
  | {
      readonly kind: "compare";
      readonly symbol: ComparisonSymbol;
      readonly left: Term;
      readonly right: Term;
      readonly at: TextRange;
    }
  | {
      readonly kind: "like";
      readonly fold: boolean;
      readonly negated: boolean;
      readonly left: Term;
      readonly right: Term;
      readonly at: TextRange;
    }
  | {
      readonly kind: "in";
      readonly negated: boolean;
      readonly left: Term;
      readonly values: readonly Term[];
      readonly at: TextRange;
    }
  | {
      readonly kind: "between";
      readonly negated: boolean;
      readonly left: Term;
      readonly from: Term;
      readonly to: Term;
      readonly at: TextRange;
    }
  | { readonly kind: "contains"; readonly left: Term; readonly right: Term; readonly at: TextRange }
  | {
      readonly kind: "overlaps";
      readonly left: Term;
      readonly values: readonly Term[];
      readonly at: TextRange;
    }
  | { readonly kind: "null"; readonly negated: boolean; readonly left: Term; readonly at: TextRange }
  /** `at` is the position of the path. */
  | {
      readonly kind: "exists";
      readonly path: string;
      readonly where: ConditionExpression | null;
      readonly at: TextRange;
    }
  /** A named condition, about the row at the end of a path. An empty path is the current row. */
  | { readonly kind: "call"; readonly name: string; readonly path: string; readonly at: TextRange };

/** A comparison: not AND, OR, NOT, EXISTS or a call. */
export type ComparisonExpression = Exclude<
  ConditionExpression,
  { kind: "and" | "or" | "not" | "exists" | "call" }
>;

/** The sides of a comparison. */
export function termsOf(expression: ComparisonExpression): readonly Term[] {
  switch (expression.kind) {
    case "compare":
    case "like":
    case "contains":
      return [expression.left, expression.right];
    case "in":
    case "overlaps":
      return [expression.left, ...expression.values];
    case "between":
      return [expression.left, expression.from, expression.to];
    case "null":
      return [expression.left];
  }
}

/** The source text of a term. */
export function termText(term: Term): string {
  switch (term.kind) {
    case "field":
      return term.name;
    case "user":
      return `{user.${term.column}}`;
    case "placeholder":
      return term.name === "now" ? momentText(term.offset) : `{${term.name}}`;
    case "value":
      return typeof term.value === "string"
        ? `'${term.value.replaceAll("'", "''")}'`
        : (term.digits ?? String(term.value));
  }
}

function momentText(offset: Moment["offset"]): string {
  if (offset === undefined) return "now()";
  const amount = Math.abs(offset.amount);
  return `now() ${offset.amount < 0 ? "-" : "+"} interval '${amount} ${offset.unit}${amount === 1 ? "" : "s"}'`;
}
