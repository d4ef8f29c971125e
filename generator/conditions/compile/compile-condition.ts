import { type Condition, conditionLimits } from "../../../vocabulary/conditions/conditions.ts";
import type { ConditionProblem } from "../hints/condition-problem.ts";
import type { ConditionExpression } from "../language/condition-tree.ts";
import { parseCondition } from "../language/parse-condition.ts";
import { compileComparison } from "./compile-comparison.ts";
import { findRows } from "./condition-columns.ts";
import { type CompileContext, ConditionSize } from "./condition-compiler.ts";
import { type NamePosition, namesOf, rootScope, type ScopeModel, scopeWithin } from "./condition-scope.ts";

/** A row condition with typed literals. Null, with its problems, if it does not fit the model. */
export interface CompiledCondition {
  readonly condition: Condition | null;
  readonly problems: readonly ConditionProblem[];
}

/** Cache by scope and text: operations of a model share conditions, and several stages of a run need them. */
const known = new WeakMap<ScopeModel, Map<string, CompiledCondition>>();

/** Parses a row condition and type-checks it against a model. */
export function compileCondition(text: string, scope: ScopeModel): CompiledCondition {
  const ofScope = known.get(scope) ?? new Map<string, CompiledCondition>();
  known.set(scope, ofScope);
  const compiled = ofScope.get(text) ?? compileText(text, scope);
  ofScope.set(text, compiled);
  return compiled;
}

function compileText(text: string, scope: ScopeModel): CompiledCondition {
  const parsed = parseCondition(text, namesOf(scope));
  if ("problem" in parsed) return { condition: null, problems: [parsed.problem] };
  return compileExpression(parsed.expression, text, rootScope(scope));
}

/** Type-checks a parsed condition against a model. */
export function compileExpression(
  expression: ConditionExpression,
  text: string,
  from: NamePosition,
): CompiledCondition {
  const problems: ConditionProblem[] = [];
  const size = new ConditionSize();
  const compiler = {
    ...from,
    text,
    around: expression,
    size,
    note: (problem: ConditionProblem) => problems.push(problem),
  };
  const condition = compile(expression, compiler);
  problems.push(...size.problems(text));
  return { condition: problems.length > 0 ? null : condition, problems };
}

function compile(expression: ConditionExpression, compiler: CompileContext): Condition | null {
  switch (expression.kind) {
    case "and":
    case "or":
      return combined(expression.kind, expression.items, compiler);
    case "not": {
      const condition = compile(expression.item, compiler);
      return condition === null ? null : { op: "not", condition };
    }
    case "exists":
      return exists(expression, compiler);
    default:
      return compileComparison(expression, compiler);
  }
}

function combined(
  op: "and" | "or",
  items: readonly ConditionExpression[],
  compiler: CompileContext,
): Condition | null {
  const conditions: Condition[] = [];
  for (const item of items.map((each) => compile(each, compiler))) {
    // Flattens `a AND (b AND c)`, which has the same meaning.
    if (item !== null) conditions.push(...(item.op === op ? item.conditions : [item]));
  }
  return { op, conditions };
}

function exists(
  expression: Extract<ConditionExpression, { kind: "exists" }>,
  compiler: CompileContext,
): Condition | null {
  const { path, where, at } = expression;
  const { size, depth, note } = compiler;
  size.useNewForm();
  if (depth === conditionLimits.existsDepth) {
    const message = `more than ${conditionLimits.existsDepth} levels of EXISTS`;
    note({ code: "condition-too-deep", at, message, hint: null });
    return null;
  }
  const found = findRows(path, compiler);
  if ("message" in found) {
    const { message, exists: rows } = found;
    const hint = rows === undefined ? found.hint : `write EXISTS (${rows.path} WHERE ${rows.name} …)`;
    note({ code: "condition-field", at, message, hint });
    return null;
  }
  size.usePath(found, at);
  const demanded =
    where === null
      ? null
      : compile(where, { ...compiler, ...scopeWithin(path, found.end, compiler), around: where });
  return where !== null && demanded === null
    ? null
    : { op: "exists", path: found.path.join("."), where: demanded };
}
