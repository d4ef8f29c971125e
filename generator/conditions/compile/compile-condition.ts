import { type Condition, conditionLimits } from "../../../vocabulary/conditions/conditions.ts";
import { expanded, type WrittenCondition } from "../../definition/written-condition.ts";
import type { ConditionProblem } from "../hints/condition-problem.ts";
import type { ConditionExpression } from "../language/condition-tree.ts";
import { parseCondition } from "../language/parse-condition.ts";
import { compileComparison } from "./compile-comparison.ts";
import { findRows } from "./condition-columns.ts";
import { type CompileContext, ConditionSize } from "./condition-compiler.ts";
import {
  type NamedCondition,
  type NamePosition,
  namesOf,
  rootScope,
  type ScopeModel,
  scopeWithin,
} from "./condition-scope.ts";
import { type CallExpression, callText, findCall } from "./find-call.ts";

/** A row condition with typed literals. Null, with its problems, if it does not fit the model. */
export interface CompiledCondition {
  readonly condition: Condition | null;
  /** The same with its calls. */
  readonly written: WrittenCondition | null;
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
  if ("problem" in parsed) return { condition: null, written: null, problems: [parsed.problem] };
  return compileExpression(parsed.expression, text, rootScope(scope));
}

/** Compiles the definition of a named condition. */
export function compileDefinition({ name, on, text }: NamedCondition): CompiledCondition {
  if (on === null) return { condition: null, written: null, problems: [] };
  const parsed = parseCondition(text, namesOf(on));
  if ("problem" in parsed) return { condition: null, written: null, problems: [parsed.problem] };
  return compileExpression(parsed.expression, text, { ...rootScope(on), within: [name] });
}

const sound = new WeakMap<NamedCondition, boolean>();

/** Whether a definition has no problem of its own. One that is being compiled has none yet. */
function isSound(named: NamedCondition): boolean {
  const known = sound.get(named);
  if (known !== undefined) return known;
  sound.set(named, true);
  const { problems } = compileDefinition(named);
  sound.set(named, problems.length === 0);
  return problems.length === 0;
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
    call: null,
    note: (problem: ConditionProblem) => problems.push(problem),
  };
  const written = compile(expression, compiler);
  problems.push(...size.problems(text, from.within.length > 0));
  if (problems.length > 0 || written === null) return { condition: null, written: null, problems };
  return { condition: expanded(written), written, problems };
}

function compile(expression: ConditionExpression, compiler: CompileContext): WrittenCondition | null {
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
    case "call":
      return called(expression, compiler);
    default:
      return compileComparison(expression, compiler);
  }
}

function combined(
  op: "and" | "or",
  items: readonly ConditionExpression[],
  compiler: CompileContext,
): WrittenCondition | null {
  const conditions: WrittenCondition[] = [];
  for (const item of items.map((each) => compile(each, compiler))) {
    // Flattens `a AND (b AND c)`, which has the same meaning.
    if (item !== null) conditions.push(...(item.op === op ? item.conditions : [item]));
  }
  return { op, conditions };
}

/** A call means its definition behind the path. All its problems are at the call. */
function called(expression: CallExpression, compiler: CompileContext): WrittenCondition | null {
  const { name, at } = expression;
  const found = findCall(expression, compiler);
  if (found === null) return null;
  if ("message" in found) {
    compiler.note({ code: "condition-call", at, message: found.message, hint: found.hint });
    return null;
  }
  // Its own problems are reported at the definition.
  if (!isSound(found.named) || !compiler.size.useCall()) return null;
  const around = found.means;
  const call = compiler.call ?? callText(expression);
  const note = (problem: ConditionProblem) => {
    const message = `in the condition "${name}", which ${call} means: ${problem.message}`;
    compiler.note({ ...problem, message: compiler.call === null ? message : problem.message });
  };
  const within = [...compiler.within, name];
  const means = compile(around, { ...compiler, around, call, note, within });
  return means === null ? null : { op: "call", name, path: found.path, means };
}

function exists(
  expression: Extract<ConditionExpression, { kind: "exists" }>,
  compiler: CompileContext,
): WrittenCondition | null {
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
  size.usePath(found, at, compiler.call);
  const demanded =
    where === null
      ? null
      : compile(where, { ...compiler, ...scopeWithin(path, found.end, compiler), around: where });
  return where !== null && demanded === null
    ? null
    : { op: "exists", path: found.path.join("."), where: demanded };
}
