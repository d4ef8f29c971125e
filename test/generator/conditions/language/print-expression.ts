import type { ConditionExpression, Term } from "#generator/conditions/index";
import type { Moment } from "#vocabulary/conditions/conditions";

/** Prints a tree as a condition; parentheses stand only where the nesting needs them. */
export function printExpression(expression: ConditionExpression): string {
  switch (expression.kind) {
    case "and":
    case "or":
      return expression.items
        .map((item) => printItem(expression.kind, item))
        .join(` ${expression.kind.toUpperCase()} `);
    case "not":
      return `NOT ${printItem("not", expression.item)}`;
    case "compare":
      return `${printTerm(expression.left)} ${expression.symbol} ${printTerm(expression.right)}`;
    case "like":
      return `${head(expression)}${expression.fold ? "ILIKE" : "LIKE"} ${printTerm(expression.right)}`;
    case "in":
      return `${head(expression)}IN (${expression.values.map(printTerm).join(", ")})`;
    case "contains":
      return `${printTerm(expression.left)} CONTAINS ${printTerm(expression.right)}`;
    case "overlaps":
      return `${printTerm(expression.left)} OVERLAPS (${expression.values.map(printTerm).join(", ")})`;
    case "between":
      return `${head(expression)}BETWEEN ${printTerm(expression.from)} AND ${printTerm(expression.to)}`;
    case "null":
      return `${printTerm(expression.left)} IS ${expression.negated ? "NOT " : ""}NULL`;
    case "exists": {
      const where = expression.where === null ? "" : ` WHERE ${printExpression(expression.where)}`;
      return `EXISTS (${expression.path}${where})`;
    }
    case "call":
      return `${expression.name}(${expression.path})`;
  }
}

function head({ left, negated }: { left: Term; negated: boolean }): string {
  return `${printTerm(left)} ${negated ? "NOT " : ""}`;
}

function printItem(parent: "and" | "or" | "not", item: ConditionExpression): string {
  const closed = parent === "or" ? item.kind !== "or" : item.kind !== "or" && item.kind !== "and";
  return closed ? printExpression(item) : `(${printExpression(item)})`;
}

function printTerm(term: Term): string {
  if (term.kind === "field") return term.name;
  if (term.kind === "user") return `{user.${term.column}}`;
  if (term.kind === "placeholder") return term.name === "now" ? printMoment(term.offset) : `{${term.name}}`;
  return typeof term.value === "string"
    ? `'${term.value.replaceAll("'", "''")}'`
    : (term.digits ?? String(term.value));
}

function printMoment(offset: Moment["offset"]): string {
  if (offset === undefined) return "now()";
  return `now() ${offset.amount < 0 ? "-" : "+"} interval '${Math.abs(offset.amount)} ${offset.unit}s'`;
}
