import type { Comparison, Condition, Subject, Value } from "../../vocabulary/conditions.ts";
import { findColumn } from "./condition-columns.ts";
import type { Compiler } from "./condition-compiler.ts";
import type { Place } from "./condition-problem.ts";
import type { ComparisonSymbol, Expression, Term } from "./condition-tree.ts";
import { type Called, familyProblem, operandProblem, operatorProblem, patternProblem } from "./fit.ts";
import { type Lost, meantValue } from "./lost-names.ts";

type ComparisonExpression = Exclude<Expression, { kind: "and" | "or" | "not" | "exists" }>;
type Kind<Name extends Expression["kind"]> = Extract<Expression, { kind: Name }>;
type FieldTerm = Extract<Term, { kind: "field" }>;
type UserTerm = Extract<Term, { kind: "user" }>;

/** A comparison, and where its parts stand. */
interface Comparing extends Compiler {
  /** Of the operator. */
  readonly operator: Place;
  /** Of the whole comparison. */
  readonly whole: Place;
}

/** A field that was found, or a column of the caller. */
interface Found extends Called {
  /** As the tree has it: with the join names of relations. */
  readonly subject: Subject;
  readonly at: Place;
}

/** Types a comparison of a field or a column of the caller; null where it has a problem. */
export function compileComparison(expression: ComparisonExpression, compiler: Compiler): Condition | null {
  const comparing = { ...compiler, operator: expression.at, whole: wholeOf(expression, compiler.text) };
  switch (expression.kind) {
    case "compare":
      return compare(expression, comparing);
    case "like":
      return negatedIf(expression.negated, like(expression, comparing));
    case "in":
      return membership(expression, comparing);
    case "between":
      return negatedIf(expression.negated, between(expression, comparing));
    case "null": {
      const found = subjectOf(expression.left, comparing);
      return found === null
        ? null
        : { op: expression.negated ? "is_not_null" : "is_null", field: found.subject };
    }
  }
}

function wholeOf(expression: ComparisonExpression, text: string): Place {
  const { offset } = expression.left.at;
  const last = (): Place => {
    switch (expression.kind) {
      case "compare":
      case "like":
        return expression.right.at;
      case "between":
        return expression.to.at;
      case "null":
        return expression.at;
      case "in": {
        const { at } = expression.values.at(-1) ?? expression;
        return { offset: text.indexOf(")", at.offset + at.length), length: 1 };
      }
    }
  };
  const end = last();
  return { offset, length: end.offset + end.length - offset };
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

/** Fields stand on the left, then columns of the caller, then values. */
function rank({ kind }: Term): number {
  return kind === "field" ? 2 : kind === "user" ? 1 : 0;
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
  const first = fieldFound(left, one, comparing, "column" in other ? other.column.enum : undefined);
  const second = fieldFound(right, other, comparing, "column" in one ? one.column.enum : undefined);
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

function between(expression: Kind<"between">, comparing: Comparing): Condition | null {
  const found = subjectOf(expression.left, comparing);
  if (found === null || !fits("between", found, comparing)) return null;
  const [from, to] = [operand(expression.from, found, comparing), operand(expression.to, found, comparing)];
  return from === null || to === null ? null : { op: "between", field: found.subject, from, to };
}

function subjectOf(term: Term, comparing: Comparing): Found | null {
  if (term.kind === "user") return callerColumn(term, comparing);
  if (term.kind === "field") return fieldFound(term, findColumn(term.name, comparing), comparing);
  noField(term, comparing, null);
  return null;
}

/** A value stands where a field should. */
function noField(term: Term, { note, operator }: Comparing, hint: string | null): void {
  const message = "one side of a comparison must be a field; lists, ranges and patterns stand on the right";
  const at = term.at.length > 0 ? term.at : operator;
  const role =
    term.kind === "placeholder" && term.name === "role"
      ? 'a rule names its roles: "role": ["admin", "staff"]'
      : null;
  note({ code: "condition-field", at, message, hint: hint ?? role });
}

/** What to write for `{user_id} IN (memberships.user_id)`. */
function asEquality({ left, values, negated }: Kind<"in">, comparing: Comparing): string | null {
  const [only, ...others] = values;
  if (only?.kind !== "field" || others.length > 0) return null;
  const found = findColumn(only.name, comparing);
  const value = comparing.text.slice(left.at.offset, left.at.offset + left.at.length);
  if ("column" in found) return `write ${only.name} ${negated ? "!=" : "="} ${value}`;
  const { exists } = found;
  return exists === undefined
    ? found.hint
    : `write ${negated ? "NOT " : ""}EXISTS (${exists.path} WHERE ${exists.name} = ${value})`;
}

/** `values` are those of the field on the other side, where one is there: this one may be a value of it. */
function fieldFound(
  term: FieldTerm,
  found: ReturnType<typeof findColumn>,
  comparing: Comparing,
  values?: readonly (string | number)[] | null,
): Found | null {
  const { at, name } = term;
  if (!("message" in found)) {
    comparing.size.usePath(found, at);
    return { subject: found.field, called: found.field, column: found.column, at };
  }
  const hint = hintOf(found, term, comparing);
  const meant = values === undefined || name.includes(".") ? null : meantValue(name, values);
  comparing.note({ code: "condition-field", at, message: found.message, hint: hint ?? meant });
  return null;
}

/** What EXISTS would look like is written out. */
function hintOf({ hint, exists }: Lost, { at }: FieldTerm, { text, whole }: Comparing): string | null {
  if (exists === undefined) return hint;
  const end = whole.offset + whole.length;
  const before = text.slice(whole.offset, at.offset);
  return `write EXISTS (${exists.path} WHERE ${before}${exists.name}${text.slice(at.offset + at.length, end)})`;
}

function callerColumn({ column: name, at }: UserTerm, { itself, size, note }: Comparing): Found | null {
  size.useNewForm();
  const column = itself.caller.allowed.get(name);
  if (column !== undefined) return { subject: { user: name }, called: `{user.${name}}`, column, at };
  note({ code: "condition-field", at, ...itself.caller.refusal(name) });
  return null;
}

function fits(
  op: Comparison | "in" | "not_in" | "between",
  found: Found,
  { operator, note }: Comparing,
): boolean {
  const message = operatorProblem(op, found.called, found.column);
  if (message !== null) note({ code: "condition-operator", at: operator, message, hint: null });
  return message === null && found.column.kind !== null;
}

function operand(term: Term, found: Found, comparing: Comparing, pattern = false): Value | null {
  if (term.kind === "user") return callerOperand(term, found, comparing);
  if (term.kind === "field") {
    const message = `"${term.name}" stands where a value is expected: two fields are compared by = != < <= > >=`;
    comparing.note({
      code: "condition-field",
      at: term.at,
      message,
      hint: meantValue(term.name, found.column.enum),
    });
    return null;
  }
  if (term.kind === "placeholder" && term.offset !== undefined) comparing.size.useNewForm();
  const checked = pattern ? patternProblem(term, found) : operandProblem(term, found);
  if ("operand" in checked) return checked.operand;
  comparing.note({ code: "condition-value", at: term.at, ...checked });
  return null;
}

function callerOperand(term: UserTerm, left: Found, comparing: Comparing): Value | null {
  const right = callerColumn(term, comparing);
  const message = right === null ? null : familyProblem(left, right);
  if (message !== null) comparing.note({ code: "condition-value", at: term.at, message, hint: null });
  return message !== null || right === null || typeof right.subject === "string" ? null : right.subject;
}
