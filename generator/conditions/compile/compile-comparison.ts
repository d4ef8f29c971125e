import type { Comparison, Condition, Value } from "../../../vocabulary/conditions/conditions.ts";
import { elementKindOf, fieldKinds } from "../../../vocabulary/fields/field-kinds.ts";
import { foreignHint } from "../hints/foreign-names.ts";
import {
  type ComparisonExpression,
  type ComparisonSymbol,
  type ConditionExpression,
  type Term,
  termText,
} from "../language/condition-tree.ts";
import {
  callerSubject,
  type FieldTerm,
  type FoundSubject,
  fieldSubject,
  reportNoField,
  subjectOf,
  type UserTerm,
} from "./compared-column.ts";
import { findColumn } from "./condition-columns.ts";
import { type ComparisonContext, type CompileContext, comparisonContext } from "./condition-compiler.ts";
import {
  type ColumnOperator,
  enumValueHint,
  familyProblem,
  likeProblem,
  type NamedColumn,
  operandProblem,
  operatorProblem,
  textValueHint,
} from "./type-check.ts";

type Kind<Name extends ConditionExpression["kind"]> = Extract<ConditionExpression, { kind: Name }>;

/** Type-checks a comparison of a field or a column of the caller. Null after a problem. */
export function compileComparison(
  expression: ComparisonExpression,
  compiler: CompileContext,
): Condition | null {
  const comparing = comparisonContext(expression, compiler);
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

function compare(expression: Kind<"compare">, comparing: ComparisonContext): Condition | null {
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

/** Compares two fields. An unknown field can be a string without quotes. */
function twoFields(
  op: Comparison,
  left: FieldTerm,
  right: FieldTerm,
  comparing: ComparisonContext,
): Condition | null {
  const { size, note } = comparing;
  size.useNewForm();
  const [one, other] = [findColumn(left.name, comparing), findColumn(right.name, comparing)];
  const first = fieldSubject(left, one, comparing, "column" in other ? other.column : undefined);
  const second = fieldSubject(right, other, comparing, "column" in one ? one.column : undefined);
  if (first === null || second === null) return null;
  // Two UUIDs have an order, but literals are not compared by it.
  const problem = first.column.kind === "uuid" ? null : operatorProblem(op, first.called, first.column);
  if (problem !== null)
    note({ code: "condition-operator", at: comparing.operator, message: problem, hint: null });
  const message = problem === null ? familyProblem(first, second) : null;
  if (message !== null) note({ code: "condition-field", at: second.at, message, hint: null });
  if (problem !== null || message !== null || typeof second.subject !== "string") return null;
  return { op, field: first.subject, value: { field: second.subject } };
}

function like(expression: Kind<"like">, comparing: ComparisonContext): Condition | null {
  const op = expression.fold ? "ilike" : "like";
  const found = subjectOf(expression.left, comparing);
  if (found === null || !fits(op, found, comparing)) return null;
  const value = operand(expression.right, found, comparing, true);
  return value === null ? null : { op, field: found.subject, value };
}

function membership(expression: Kind<"in">, comparing: ComparisonContext): Condition | null {
  const op = expression.negated ? "not_in" : "in";
  if (rank(expression.left) === 0) {
    reportNoField(expression.left, comparing, asEquality(expression, comparing));
    return null;
  }
  const found = subjectOf(expression.left, comparing);
  if (found === null || !fits(op, found, comparing)) return null;
  const values = expression.values.flatMap((value) => operand(value, found, comparing) ?? []);
  return { op, field: found.subject, values };
}

function contains(expression: Kind<"contains">, comparing: ComparisonContext): Condition | null {
  const found = listOf(expression, comparing);
  if (found === null) return null;
  const value = operand(expression.right, elementOf(found), comparing);
  return value === null ? null : { op: "contains", field: found.subject, value };
}

function overlaps(expression: Kind<"overlaps">, comparing: ComparisonContext): Condition | null {
  const found = listOf(expression, comparing);
  if (found === null) return null;
  const element = elementOf(found);
  const values = expression.values.flatMap((value) => operand(value, element, comparing) ?? []);
  return { op: "overlaps", field: found.subject, values };
}

/** The list field of CONTAINS or OVERLAPS. */
function listOf(
  expression: Kind<"contains" | "overlaps">,
  comparing: ComparisonContext,
): FoundSubject | null {
  comparing.size.useNewForm();
  const { left } = expression;
  if (rank(left) === 0) {
    const [only, ...others] = expression.kind === "contains" ? [expression.right] : expression.values;
    const isTurned = only?.kind === "field" && others.length === 0;
    const { offset, length } = left.at;
    const value = comparing.text.slice(offset, offset + length);
    reportNoField(left, comparing, isTurned ? `write ${only.name} CONTAINS ${value}` : null);
    return null;
  }
  const found = subjectOf(left, comparing);
  return found !== null && fits(expression.kind, found, comparing) ? found : null;
}

/** The type of its elements. */
function elementOf(found: FoundSubject): FoundSubject {
  const { kind } = found.column;
  const element = kind === null ? null : elementKindOf(kind);
  return element === null ? found : { ...found, column: { ...found.column, kind: element } };
}

function between(expression: Kind<"between">, comparing: ComparisonContext): Condition | null {
  const found = subjectOf(expression.left, comparing);
  if (found === null || !fits("between", found, comparing)) return null;
  const [from, to] = [operand(expression.from, found, comparing), operand(expression.to, found, comparing)];
  return from === null || to === null ? null : { op: "between", field: found.subject, from, to };
}

/** Fields are on the left, then columns of the caller, then values. */
function rank({ kind }: Term): number {
  return kind === "field" ? 2 : kind === "user" ? 1 : 0;
}

/** A suggestion for `{user_id} IN (memberships.user_id)`. */
function asEquality({ left, values, negated }: Kind<"in">, comparing: ComparisonContext): string | null {
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

/** Whether an operator fits a column. */
function fits(op: ColumnOperator, found: FoundSubject, comparing: ComparisonContext): boolean {
  const message = operatorProblem(op, found.called, found.column);
  if (message !== null) {
    const hint = listHint(found, comparing.expression);
    comparing.note({ code: "condition-operator", at: comparing.operator, message, hint });
  }
  return message === null && found.column.kind !== null;
}

/** The value that a column is compared with. Null if its type does not fit. */
function operand(
  term: Term,
  found: FoundSubject,
  comparing: ComparisonContext,
  pattern = false,
): Value | null {
  if (term.kind === "user") return callerOperand(term, found, comparing);
  if (term.kind === "field") {
    const message = `"${term.name}" is a field, but a value is expected here; compare two fields with = != < <= > >=`;
    comparing.note({
      code: "condition-field",
      at: term.at,
      message,
      hint: wordHint(term.name, found, comparing),
    });
    return null;
  }
  if (term.kind === "placeholder" && term.offset !== undefined) comparing.size.useNewForm();
  const checked = pattern ? likeProblem(term, found) : operandProblem(term, found);
  if ("operand" in checked) return checked.operand;
  comparing.note({ code: "condition-value", at: term.at, ...checked });
  return null;
}

/** A suggestion for a word that is not a value. */
function wordHint(name: string, { column }: FoundSubject, { at }: ComparisonContext): string | null {
  if (name.includes(".") || at.columns.has(name)) return null;
  return enumValueHint(name, column) ?? foreignHint(name) ?? textValueHint(name, column);
}

function callerOperand(term: UserTerm, left: FoundSubject, comparing: ComparisonContext): Value | null {
  const right = callerSubject(term, comparing);
  const message = right === null ? null : familyProblem(left, right);
  if (message !== null) comparing.note({ code: "condition-value", at: term.at, message, hint: null });
  return message !== null || right === null || typeof right.subject === "string" ? null : right.subject;
}

/** A suggestion for a list used as a single value, or the reverse. Null without an equivalent. */
function listHint(
  { called, column: { kind } }: NamedColumn,
  expression: ComparisonExpression,
): string | null {
  if (kind === null) return null;
  return elementKindOf(kind) === null
    ? ofValue(called, fieldKinds[kind].compared, expression)
    : ofList(called, expression);
}

function ofList(called: string, expression: ComparisonExpression): string | null {
  switch (expression.kind) {
    case "compare": {
      const { symbol, left, right } = expression;
      const value = left.kind === "field" ? right : left;
      if (value.kind === "field" || (symbol !== "=" && symbol !== "!=")) return null;
      return `write ${symbol === "=" ? "" : "NOT "}${called} CONTAINS ${termText(value)}`;
    }
    case "in": {
      const values = expression.values.map(termText).join(", ");
      return `write ${expression.negated ? "NOT " : ""}${called} OVERLAPS (${values})`;
    }
    case "like":
      return `only whole elements can be tested: write ${called} CONTAINS …`;
    default:
      return null;
  }
}

function ofValue(called: string, compared: string, expression: ComparisonExpression): string | null {
  if (compared === "for null" || compared === "never") return null;
  if (expression.kind === "overlaps")
    return `write ${called} IN (${expression.values.map(termText).join(", ")})`;
  if (expression.kind !== "contains") return null;
  const whole = `write ${called} = ${termText(expression.right)}`;
  return compared === "as text" ? `${whole}, or ${called} LIKE '%…%' for a part of a text` : whole;
}
