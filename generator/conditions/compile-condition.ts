import type { Comparison, Condition, Value } from "../../vocabulary/conditions.ts";
import { findColumn } from "./condition-columns.ts";
import type { ConditionProblem, Place } from "./condition-problem.ts";
import type { ConditionColumn, ConditionScope } from "./condition-scope.ts";
import type { ComparisonSymbol, Expression, Term } from "./condition-tree.ts";
import { operandProblem, operatorProblem, patternProblem } from "./fit.ts";
import { parseCondition } from "./parse-condition.ts";

/** A row condition with typed literals; null, with its problems, where it does not fit the model. */
export interface CompiledCondition {
  readonly condition: Condition | null;
  readonly problems: readonly ConditionProblem[];
}

/** Reads a row condition and types it against the fields of a model (decisions, part 4). */
export function compileCondition(text: string, scope: ConditionScope): CompiledCondition {
  const parsed = parseCondition(text, new Set(scope.columns.keys()));
  if ("problem" in parsed) return { condition: null, problems: [parsed.problem] };
  const problems: ConditionProblem[] = [];
  const condition = compile(parsed.expression, { scope, note: (problem) => problems.push(problem) });
  return { condition: problems.length > 0 ? null : condition, problems };
}

interface Compiler {
  readonly scope: ConditionScope;
  note(problem: ConditionProblem): void;
}

/** A field that was found. Its name has the join name of its relation. */
interface Subject {
  readonly field: string;
  readonly column: ConditionColumn;
  readonly at: Place;
}

function compile(expression: Expression, compiler: Compiler): Condition | null {
  switch (expression.kind) {
    case "and":
    case "or":
      return combined(expression.kind, expression.items, compiler);
    case "not":
      return not(compile(expression.item, compiler));
    case "compare":
      return compare(expression, compiler);
    case "like":
      return negatedIf(expression.negated, like(expression, compiler));
    case "in":
      return membership(expression, compiler);
    case "between":
      return negatedIf(expression.negated, between(expression, compiler));
    case "null": {
      const subject = subjectOf(expression.left, expression.at, compiler);
      return subject === null
        ? null
        : { op: expression.negated ? "is_not_null" : "is_null", field: subject.field };
    }
  }
}

function combined(op: "and" | "or", items: readonly Expression[], compiler: Compiler): Condition | null {
  const conditions: Condition[] = [];
  for (const item of items.map((each) => compile(each, compiler))) {
    // `a AND (b AND c)` reads better flat, and means the same.
    if (item !== null) conditions.push(...(item.op === op ? item.conditions : [item]));
  }
  return { op, conditions };
}

function not(condition: Condition | null): Condition | null {
  return condition === null ? null : { op: "not", condition };
}

function negatedIf(negated: boolean, condition: Condition | null): Condition | null {
  return negated ? not(condition) : condition;
}

const comparisons: Record<ComparisonSymbol, { op: Comparison; flipped: ComparisonSymbol }> = {
  "=": { op: "eq", flipped: "=" },
  "!=": { op: "ne", flipped: "!=" },
  "<": { op: "lt", flipped: ">" },
  "<=": { op: "lte", flipped: ">=" },
  ">": { op: "gt", flipped: "<" },
  ">=": { op: "gte", flipped: "<=" },
};

function compare(expression: Extract<Expression, { kind: "compare" }>, compiler: Compiler): Condition | null {
  const turned = expression.left.kind !== "field" && expression.right.kind === "field";
  const [left, right] = turned ? [expression.right, expression.left] : [expression.left, expression.right];
  const symbol = turned ? comparisons[expression.symbol].flipped : expression.symbol;
  const subject = subjectOf(left, expression.at, compiler);
  if (subject === null) return null;
  const isNull = right.kind === "value" && right.value === null;
  if (isNull && symbol === "=") return { op: "is_null", field: subject.field };
  if (isNull && symbol === "!=") return { op: "is_not_null", field: subject.field };
  const { op } = comparisons[symbol];
  if (!fits(op, subject, expression.at, compiler)) return null;
  const value = operand(right, subject, compiler);
  return value === null ? null : { op, field: subject.field, value };
}

function like(expression: Extract<Expression, { kind: "like" }>, compiler: Compiler): Condition | null {
  const op = expression.fold ? "ilike" : "like";
  const subject = subjectOf(expression.left, expression.at, compiler);
  if (subject === null || !fits(op, subject, expression.at, compiler)) return null;
  const value = operand(expression.right, subject, compiler, true);
  return value === null ? null : { op, field: subject.field, value };
}

function membership(expression: Extract<Expression, { kind: "in" }>, compiler: Compiler): Condition | null {
  const op = expression.negated ? "not_in" : "in";
  const subject = subjectOf(expression.left, expression.at, compiler);
  if (subject === null || !fits(op, subject, expression.at, compiler)) return null;
  const values = expression.values.flatMap((value) => operand(value, subject, compiler) ?? []);
  return { op, field: subject.field, values };
}

function between(expression: Extract<Expression, { kind: "between" }>, compiler: Compiler): Condition | null {
  const subject = subjectOf(expression.left, expression.at, compiler);
  if (subject === null || !fits("between", subject, expression.at, compiler)) return null;
  const [from, to] = [operand(expression.from, subject, compiler), operand(expression.to, subject, compiler)];
  return from === null || to === null ? null : { op: "between", field: subject.field, from, to };
}

function subjectOf(term: Term, operator: Place, { scope, note }: Compiler): Subject | null {
  if (term.kind !== "field") {
    const message = "one side of a comparison must be a field; lists, ranges and patterns stand on the right";
    note({ code: "condition-field", at: term.at.length > 0 ? term.at : operator, message, hint: null });
    return null;
  }
  const found = findColumn(term.name, scope);
  if ("message" in found) {
    note({ code: "condition-field", at: term.at, ...found });
    return null;
  }
  return { ...found, at: term.at };
}

function fits(
  op: Comparison | "in" | "not_in" | "between",
  subject: Subject,
  at: Place,
  compiler: Compiler,
): boolean {
  const message = operatorProblem(op, subject.field, subject.column);
  if (message !== null) compiler.note({ code: "condition-operator", at, message, hint: null });
  return message === null && subject.column.kind !== null;
}

function operand(term: Term, subject: Subject, { note }: Compiler, pattern = false): Value | null {
  const checked = pattern
    ? patternProblem(term, subject.field)
    : operandProblem(term, subject.field, subject.column);
  if ("operand" in checked) return checked.operand;
  note({ code: term.kind === "field" ? "condition-field" : "condition-value", at: term.at, ...checked });
  return null;
}
