import type { Comparison, Condition } from "../../vocabulary/conditions.ts";
import { elementKindOf } from "../../vocabulary/field-kinds.ts";
import { type FieldTerm, type Found, fieldFound, noField, subjectOf } from "./compared-column.ts";
import { fits, operand } from "./compared-value.ts";
import { type Comparing, comparingOf } from "./comparing.ts";
import { findColumn } from "./condition-columns.ts";
import type { Compiler } from "./condition-compiler.ts";
import type { ComparisonExpression, ComparisonSymbol, Expression, Term } from "./condition-tree.ts";
import { familyProblem, operatorProblem } from "./fit.ts";

type Kind<Name extends Expression["kind"]> = Extract<Expression, { kind: Name }>;

/** Types a comparison of a field or a column of the caller; null where it has a problem. */
export function compileComparison(expression: ComparisonExpression, compiler: Compiler): Condition | null {
  const comparing = comparingOf(expression, compiler);
  switch (expression.kind) {
    case "compare":
      return compare(expression, comparing);
    case "like":
      return negatedIf(expression.negated, like(expression, comparing));
    case "in":
      return membership(expression, comparing);
    case "between":
      return negatedIf(expression.negated, between(expression, comparing));
    case "contains":
      return contains(expression, comparing);
    case "overlaps":
      return overlaps(expression, comparing);
    case "null": {
      const found = subjectOf(expression.left, comparing);
      return found === null
        ? null
        : { op: expression.negated ? "is_not_null" : "is_null", field: found.subject };
    }
  }
}

function negatedIf(negated: boolean, condition: Condition | null): Condition | null {
  return negated && condition !== null ? { op: "not", condition } : condition;
}

const comparisons: Record<ComparisonSymbol, { op: Comparison; flipped: ComparisonSymbol }> = {
  "=": { op: "eq", flipped: "=" },
  "!=": { op: "ne", flipped: "!=" },
  "<": { op: "lt", flipped: ">" },
  "<=": { op: "lte", flipped: ">=" },
  ">": { op: "gt", flipped: "<" },
  ">=": { op: "gte", flipped: "<=" },
};

function compare(expression: Kind<"compare">, comparing: Comparing): Condition | null {
  const turned = rank(expression.left) < rank(expression.right);
  const [left, right] = turned ? [expression.right, expression.left] : [expression.left, expression.right];
  const symbol = turned ? comparisons[expression.symbol].flipped : expression.symbol;
  const { op } = comparisons[symbol];
  if (left.kind === "field" && right.kind === "field") return twoFields(op, left, right, comparing);
  const found = subjectOf(left, comparing);
  if (found === null) return null;
  const isNull = right.kind === "value" && right.value === null;
  if (isNull && symbol === "=") return { op: "is_null", field: found.subject };
  if (isNull && symbol === "!=") return { op: "is_not_null", field: found.subject };
  if (!fits(op, found, comparing)) return null;
  const value = operand(right, found, comparing);
  return value === null ? null : { op, field: found.subject, value };
}

/** Compares two fields. One that is not there may be a string without its quotes. */
function twoFields(
  op: Comparison,
  left: FieldTerm,
  right: FieldTerm,
  comparing: Comparing,
): Condition | null {
  const { size, note } = comparing;
  size.useNewForm();
  const [one, other] = [findColumn(left.name, comparing), findColumn(right.name, comparing)];
  const first = fieldFound(left, one, comparing, "column" in other ? other.column : undefined);
  const second = fieldFound(right, other, comparing, "column" in one ? one.column : undefined);
  if (first === null || second === null) return null;
  // Two UUIDs have an order, though none that a literal would be compared by.
  const problem = first.column.kind === "uuid" ? null : operatorProblem(op, first.called, first.column);
  if (problem !== null)
    note({ code: "condition-operator", at: comparing.operator, message: problem, hint: null });
  const message = problem === null ? familyProblem(first, second) : null;
  if (message !== null) note({ code: "condition-field", at: second.at, message, hint: null });
  if (problem !== null || message !== null || typeof second.subject !== "string") return null;
  return { op, field: first.subject, value: { field: second.subject } };
}

function like(expression: Kind<"like">, comparing: Comparing): Condition | null {
  const op = expression.fold ? "ilike" : "like";
  const found = subjectOf(expression.left, comparing);
  if (found === null || !fits(op, found, comparing)) return null;
  const value = operand(expression.right, found, comparing, true);
  return value === null ? null : { op, field: found.subject, value };
}

function membership(expression: Kind<"in">, comparing: Comparing): Condition | null {
  const op = expression.negated ? "not_in" : "in";
  if (rank(expression.left) === 0) {
    noField(expression.left, comparing, asEquality(expression, comparing));
    return null;
  }
  const found = subjectOf(expression.left, comparing);
  if (found === null || !fits(op, found, comparing)) return null;
  const values = expression.values.flatMap((value) => operand(value, found, comparing) ?? []);
  return { op, field: found.subject, values };
}

function contains(expression: Kind<"contains">, comparing: Comparing): Condition | null {
  const found = listOf(expression, comparing);
  if (found === null) return null;
  const value = operand(expression.right, elementOf(found), comparing);
  return value === null ? null : { op: "contains", field: found.subject, value };
}

function overlaps(expression: Kind<"overlaps">, comparing: Comparing): Condition | null {
  const found = listOf(expression, comparing);
  if (found === null) return null;
  const element = elementOf(found);
  const values = expression.values.flatMap((value) => operand(value, element, comparing) ?? []);
  return { op: "overlaps", field: found.subject, values };
}

/** The list that is asked for elements. */
function listOf(expression: Kind<"contains" | "overlaps">, comparing: Comparing): Found | null {
  comparing.size.useNewForm();
  const { left } = expression;
  if (rank(left) === 0) {
    const [only, ...others] = expression.kind === "contains" ? [expression.right] : expression.values;
    const isTurned = only?.kind === "field" && others.length === 0;
    const { offset, length } = left.at;
    const value = comparing.text.slice(offset, offset + length);
    noField(left, comparing, isTurned ? `write ${only.name} CONTAINS ${value}` : null);
    return null;
  }
  const found = subjectOf(left, comparing);
  return found !== null && fits(expression.kind, found, comparing) ? found : null;
}

/** What each of its elements is. */
function elementOf(found: Found): Found {
  const { kind } = found.column;
  const element = kind === null ? null : elementKindOf(kind);
  return element === null ? found : { ...found, column: { ...found.column, kind: element } };
}

function between(expression: Kind<"between">, comparing: Comparing): Condition | null {
  const found = subjectOf(expression.left, comparing);
  if (found === null || !fits("between", found, comparing)) return null;
  const [from, to] = [operand(expression.from, found, comparing), operand(expression.to, found, comparing)];
  return from === null || to === null ? null : { op: "between", field: found.subject, from, to };
}

/** Fields stand on the left, then columns of the caller, then values. */
function rank({ kind }: Term): number {
  return kind === "field" ? 2 : kind === "user" ? 1 : 0;
}

/** What to write for `{user_id} IN (memberships.user_id)`. */
function asEquality({ left, values, negated }: Kind<"in">, comparing: Comparing): string | null {
  const [only, ...others] = values;
  if (only?.kind !== "field" || others.length > 0) return null;
  const found = findColumn(only.name, comparing);
  const value = comparing.text.slice(left.at.offset, left.at.offset + left.at.length);
  if ("column" in found) {
    const { kind } = found.column;
    if (kind !== null && elementKindOf(kind) !== null)
      return `write ${negated ? "NOT " : ""}${only.name} CONTAINS ${value}`;
    return `write ${only.name} ${negated ? "!=" : "="} ${value}`;
  }
  const { exists } = found;
  return exists === undefined
    ? found.hint
    : `write ${negated ? "NOT " : ""}EXISTS (${exists.path} WHERE ${exists.name} = ${value})`;
}
