import { rowItself } from "../../../vocabulary/conditions/conditions.ts";
import { didYouMean } from "../../../vocabulary/nearest.ts";
import type { ConditionExpression } from "../language/condition-tree.ts";
import { movedBehind, usesItself } from "../language/moved-expression.ts";
import { findRow } from "./condition-columns.ts";
import type { NamedCondition, NamePosition } from "./condition-scope.ts";
import type { UnknownName } from "./unknown-name.ts";

export type CallExpression = Extract<ConditionExpression, { kind: "call" }>;

/** A valid call. */
export interface FoundCall {
  readonly named: NamedCondition;
  /** Join names, to the row that the condition is about. */
  readonly path: string;
  /** Its definition, behind the path. */
  readonly means: ConditionExpression;
}

/** The source text of a call. */
export function callText({ name, path }: Pick<CallExpression, "name" | "path">): string {
  return `${name}(${path})`;
}

/** The definition that a call means; or why the call is invalid. Null if the definition is invalid, which is reported there. */
export function findCall(call: CallExpression, from: NamePosition): FoundCall | UnknownName | null {
  const { name } = call;
  const named = from.at.conditions.get(name);
  if (named === undefined) return noCondition(name, from);
  if (named.on === null || named.expression === null) return null;
  const cycle = [...from.within, name];
  if (from.within.includes(name)) {
    const names = cycle.slice(from.within.indexOf(name));
    return { message: `the conditions call each other in a cycle: ${names.join(" > ")}`, hint: null };
  }
  const found = findRow(call.path, from);
  if ("message" in found) return found;
  if (found.end.model !== named.on.model) {
    const end =
      call.path === ""
        ? `this is a row of "${found.end.model}"`
        : `"${call.path}" leads to "${found.end.model}"`;
    const message = `"${name}" is a condition on "${named.on.model}", but ${end}`;
    return { message, hint: `write ${name}(path), with a path to "${named.on.model}"` };
  }
  if (from.depth > 0 && usesThis(named)) {
    const message = `"${name}" uses "this", so it cannot be called inside EXISTS`;
    return { message, hint: `call it outside of EXISTS, or write its condition here` };
  }
  const path = found.path.join(".");
  const move = { path, at: call.at, hasThis: named.on.relations.has(rowItself) };
  return { named, path, means: movedBehind(named.expression, move) };
}

function noCondition(name: string, { at }: NamePosition): UnknownName {
  const known = [...at.conditions.keys()];
  const near = didYouMean(name, known);
  const all = known.length === 0 ? 'define it in "$conditions"' : `"$conditions" has ${known.join(", ")}`;
  return { message: `there is no condition "${name}"`, hint: near ?? all };
}

/** Whether a definition uses `this`, itself or by a definition that it calls. */
function usesThis({ expression, on }: NamedCondition, seen = new Set<string>()): boolean {
  if (expression === null) return false;
  if (usesItself(expression)) return true;
  return callsIn(expression).some((name) => {
    const called = on?.conditions.get(name);
    if (called === undefined || seen.has(name)) return false;
    seen.add(name);
    return usesThis(called, seen);
  });
}

/** The names of the conditions that an expression calls. */
export function callsIn(expression: ConditionExpression): string[] {
  switch (expression.kind) {
    case "and":
    case "or":
      return expression.items.flatMap(callsIn);
    case "not":
      return callsIn(expression.item);
    case "exists":
      return expression.where === null ? [] : callsIn(expression.where);
    case "call":
      return [expression.name];
    default:
      return [];
  }
}
