import {
  type Comparison,
  type Condition,
  conditionLimits,
  type Subject,
  type Value,
} from "../../vocabulary/conditions.ts";
import { type FoundPath, findColumn, findRows, outside, type Standpoint } from "./condition-columns.ts";
import type { ConditionProblem, Place } from "./condition-problem.ts";
import type { ConditionColumn, ConditionScope } from "./condition-scope.ts";
import type { ComparisonSymbol, Expression, Term } from "./condition-tree.ts";
import { familyProblem, operandProblem, operatorProblem, patternProblem } from "./fit.ts";
import { namesOf } from "./names-of-scope.ts";
import { parseCondition } from "./parse-condition.ts";

/** A row condition with typed literals; null, with its problems, where it does not fit the model. */
export interface CompiledCondition {
  readonly condition: Condition | null;
  readonly problems: readonly ConditionProblem[];
}

/** Reads a row condition and types it against the fields of a model (decisions, part 4). */
export function compileCondition(text: string, scope: ConditionScope): CompiledCondition {
  const parsed = parseCondition(text, namesOf(scope));
  if ("problem" in parsed) return { condition: null, problems: [parsed.problem] };
  const problems: ConditionProblem[] = [];
  const size: Size = { relations: 0, isNew: false };
  const compiler = { ...outside(scope), size, note: (problem: ConditionProblem) => problems.push(problem) };
  const condition = compile(parsed.expression, compiler);
  problems.push(...sizeProblems(text, size));
  return { condition: problems.length > 0 ? null : condition, problems };
}

/** What the limits look at. They are those of the forms beyond one `belongs_to` alone. */
interface Size {
  relations: number;
  isNew: boolean;
}

interface Compiler extends Standpoint {
  readonly size: Size;
  note(problem: ConditionProblem): void;
}

/** A field that was found, or a column of the caller. */
interface Found {
  /** As the tree has it: with the join names of relations. */
  readonly subject: Subject;
  readonly called: string;
  readonly column: ConditionColumn;
  readonly at: Place;
}

function sizeProblems(text: string, { relations, isNew }: Size): ConditionProblem[] {
  const at = { offset: 0, length: text.length };
  const problem = (message: string): ConditionProblem => ({
    code: "condition-too-large",
    at,
    message,
    hint: null,
  });
  const characters = [...text].length;
  if (!isNew) return [];
  return [
    ...(relations > conditionLimits.relations
      ? [problem(`the condition goes over ${relations} relations, more than ${conditionLimits.relations}`)]
      : []),
    ...(characters > conditionLimits.characters
      ? [problem(`the condition has ${characters} characters, more than ${conditionLimits.characters}`)]
      : []),
  ];
}

/** Takes note of a path. One `belongs_to` is as old as the language. */
function measure({ relations, fromItself }: FoundPath, { size }: Compiler): void {
  size.relations += relations.length;
  size.isNew ||= fromItself || relations.length > 1 || relations.some(({ kind }) => kind !== "belongs_to");
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
      const found = subjectOf(expression.left, expression.at, compiler);
      return found === null
        ? null
        : { op: expression.negated ? "is_not_null" : "is_null", field: found.subject };
    }
    case "exists":
      return exists(expression, compiler);
  }
}

function exists(expression: Extract<Expression, { kind: "exists" }>, compiler: Compiler): Condition | null {
  const { path, where, at } = expression;
  compiler.size.isNew = true;
  if (compiler.depth === conditionLimits.existsDepth) {
    const message = `more than ${conditionLimits.existsDepth} levels of EXISTS`;
    compiler.note({ code: "condition-too-deep", at, message, hint: null });
    return null;
  }
  const found = findRows(path, compiler);
  if ("message" in found) {
    compiler.note({ code: "condition-field", at, ...found });
    return null;
  }
  measure(found, compiler);
  const inner = { ...compiler, at: found.end, depth: compiler.depth + 1 };
  const demanded = where === null ? null : compile(where, inner);
  if (where !== null && demanded === null) return null;
  return { op: "exists", path: found.path.join("."), where: demanded };
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
  const turned = rank(expression.left) < rank(expression.right);
  const [left, right] = turned ? [expression.right, expression.left] : [expression.left, expression.right];
  const symbol = turned ? comparisons[expression.symbol].flipped : expression.symbol;
  const found = subjectOf(left, expression.at, compiler);
  if (found === null) return null;
  const isNull = right.kind === "value" && right.value === null;
  if (isNull && symbol === "=") return { op: "is_null", field: found.subject };
  if (isNull && symbol === "!=") return { op: "is_not_null", field: found.subject };
  const { op } = comparisons[symbol];
  if (right.kind === "field") return twoFields(op, found, right, expression.at, compiler);
  if (!fits(op, found, expression.at, compiler)) return null;
  const value = operand(right, found, compiler);
  return value === null ? null : { op, field: found.subject, value };
}

type FieldTerm = Extract<Term, { kind: "field" }>;

/** Fields stand on the left, then columns of the caller, then values. */
function rank({ kind }: Term): number {
  return kind === "field" ? 2 : kind === "user" ? 1 : 0;
}

function twoFields(
  op: Comparison,
  left: Found,
  term: FieldTerm,
  at: Place,
  compiler: Compiler,
): Condition | null {
  compiler.size.isNew = true;
  const hint = term.name.includes(".") ? null : `a string stands in quotes: '${term.name}'`;
  const right = subjectOf(term, at, compiler, hint);
  if (right === null || !fits(op, left, at, compiler)) return null;
  const message = familyProblem(left, right);
  if (message !== null) compiler.note({ code: "condition-field", at: right.at, message, hint: null });
  if (message !== null || typeof right.subject !== "string") return null;
  return { op, field: left.subject, value: { field: right.subject } };
}

function like(expression: Extract<Expression, { kind: "like" }>, compiler: Compiler): Condition | null {
  const op = expression.fold ? "ilike" : "like";
  const found = subjectOf(expression.left, expression.at, compiler);
  if (found === null || !fits(op, found, expression.at, compiler)) return null;
  const value = operand(expression.right, found, compiler, true);
  return value === null ? null : { op, field: found.subject, value };
}

function membership(expression: Extract<Expression, { kind: "in" }>, compiler: Compiler): Condition | null {
  const op = expression.negated ? "not_in" : "in";
  const found = subjectOf(expression.left, expression.at, compiler);
  if (found === null || !fits(op, found, expression.at, compiler)) return null;
  const values = expression.values.flatMap((value) => operand(value, found, compiler) ?? []);
  return { op, field: found.subject, values };
}

function between(expression: Extract<Expression, { kind: "between" }>, compiler: Compiler): Condition | null {
  const found = subjectOf(expression.left, expression.at, compiler);
  if (found === null || !fits("between", found, expression.at, compiler)) return null;
  const [from, to] = [operand(expression.from, found, compiler), operand(expression.to, found, compiler)];
  return from === null || to === null ? null : { op: "between", field: found.subject, from, to };
}

function subjectOf(
  term: Term,
  operator: Place,
  compiler: Compiler,
  hint: string | null = null,
): Found | null {
  const { at } = term;
  if (term.kind === "user") return callerColumn(term, compiler);
  if (term.kind !== "field") {
    const message = "one side of a comparison must be a field; lists, ranges and patterns stand on the right";
    compiler.note({ code: "condition-field", at: at.length > 0 ? at : operator, message, hint: null });
    return null;
  }
  const found = findColumn(term.name, compiler);
  if ("message" in found) {
    compiler.note({ code: "condition-field", at, message: found.message, hint: hint ?? found.hint });
    return null;
  }
  measure(found, compiler);
  return { subject: found.field, called: found.field, column: found.column, at };
}

function callerColumn(
  { column: name, at }: Extract<Term, { kind: "user" }>,
  compiler: Compiler,
): Found | null {
  const { caller } = compiler.itself;
  compiler.size.isNew = true;
  const column = caller.allowed.get(name);
  if (column !== undefined) return { subject: { user: name }, called: `{user.${name}}`, column, at };
  compiler.note({ code: "condition-field", at, ...caller.refusal(name) });
  return null;
}

function fits(
  op: Comparison | "in" | "not_in" | "between",
  found: Found,
  at: Place,
  compiler: Compiler,
): boolean {
  const message = operatorProblem(op, found.called, found.column);
  if (message !== null) compiler.note({ code: "condition-operator", at, message, hint: null });
  return message === null && found.column.kind !== null;
}

function operand(term: Term, found: Found, compiler: Compiler, pattern = false): Value | null {
  if (term.kind === "user") return callerOperand(term, found, compiler);
  if (term.kind === "field") {
    const message = `"${term.name}" stands where a value is expected`;
    const hint = `a string stands in quotes: '${term.name}'`;
    compiler.note({ code: "condition-field", at: term.at, message, hint });
    return null;
  }
  if (term.kind === "placeholder" && term.offset !== undefined) compiler.size.isNew = true;
  const checked = pattern ? patternProblem(term, found) : operandProblem(term, found);
  if ("operand" in checked) return checked.operand;
  compiler.note({ code: "condition-value", at: term.at, ...checked });
  return null;
}

function callerOperand(term: Extract<Term, { kind: "user" }>, left: Found, compiler: Compiler): Value | null {
  const right = callerColumn(term, compiler);
  const message = right === null ? null : familyProblem(left, right);
  if (message !== null) compiler.note({ code: "condition-value", at: term.at, message, hint: null });
  return message !== null || right === null || typeof right.subject === "string" ? null : right.subject;
}
