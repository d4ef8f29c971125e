import type { CheckCondition, ConditionLiteral } from "../../../vocabulary/conditions/check-tree.ts";
import type { Condition, Value } from "../../../vocabulary/conditions/conditions.ts";
import { isRuntimeColumn } from "../../../vocabulary/fields/runtime-columns.ts";
import { GeneratorBug } from "../../diagnostics/stop.ts";
import type { ConditionProblem, TextRange } from "../hints/condition-problem.ts";
import { type ConditionExpression, type Term, termsOf, termText } from "../language/condition-tree.ts";
import { parseCondition } from "../language/parse-condition.ts";
import { compileExpression } from "./compile-condition.ts";
import { namesOf, rootScope, type ScopeModel } from "./condition-scope.ts";

/** The compiled condition of a check. Null, with its problems, if it is invalid. */
export interface CompiledCheck {
  readonly condition: CheckCondition | null;
  readonly problems: readonly ConditionProblem[];
}

/** Compiles the condition of a check, over the fields of one row. */
export function compileCheck(text: string, scope: ScopeModel): CompiledCheck {
  const parsed = parseCondition(text, namesOf(scope));
  if ("problem" in parsed) return { condition: null, problems: [parsed.problem] };
  const misuses = misusesInCheck(parsed.expression, scope);
  if (misuses.length > 0) return { condition: null, problems: misuses };
  const from = { ...rootScope(scope), isCheck: true };
  const { condition, problems } = compileExpression(parsed.expression, text, from);
  return { condition: condition === null ? null : checkOfOneRow(condition), problems };
}

/** Narrows the tree to the type without caller, time and other rows. */
function checkOfOneRow(condition: Condition): CheckCondition {
  switch (condition.op) {
    case "exists":
      throw unseen();
    case "and":
    case "or":
      return { op: condition.op, conditions: condition.conditions.map(checkOfOneRow) };
    case "not":
      return { op: "not", condition: checkOfOneRow(condition.condition) };
    default: {
      const { field } = condition;
      if (typeof field !== "string") throw unseen();
      return comparisonOf(condition, field);
    }
  }
}

function comparisonOf(
  condition: Exclude<Condition, { op: "exists" | "and" | "or" | "not" }>,
  field: string,
): CheckCondition {
  switch (condition.op) {
    case "is_null":
    case "is_not_null":
      return { op: condition.op, field };
    case "in":
    case "not_in":
      return { op: condition.op, field, values: condition.values.map(literalOf) };
    case "contains":
      return { op: "contains", field, value: literalOf(condition.value) };
    case "overlaps":
      return { op: "overlaps", field, values: condition.values.map(literalOf) };
    case "between":
      return { op: "between", field, from: literalOf(condition.from), to: literalOf(condition.to) };
    default: {
      const { op, value } = condition;
      const other = typeof value === "object" && "field" in value ? { field: value.field } : literalOf(value);
      return { op, field, value: other };
    }
  }
}

function literalOf(value: Value): ConditionLiteral {
  if (typeof value === "object") throw unseen();
  return value;
}

function unseen(): GeneratorBug {
  return new GeneratorBug("a check that uses more than its row was not refused");
}

/** Reports the parts that rules can use but checks cannot, each with an alternative. */
export function misusesInCheck(expression: ConditionExpression, scope: ScopeModel): ConditionProblem[] {
  switch (expression.kind) {
    case "and":
    case "or":
      return expression.items.flatMap((item) => misusesInCheck(item, scope));
    case "not":
      return misusesInCheck(expression.item, scope);
    case "exists":
      return [
        misuse(expression.at, "EXISTS looks for other rows, but a check sees only its own row", inRules),
      ];
    case "call": {
      const message = `"${expression.name}" is a named condition, which only rules can call`;
      return [misuse(expression.at, message, "write its condition, as far as it is about one row")];
    }
    default:
      return termsOf(expression).flatMap((term) => ofTerm(term, scope) ?? []);
  }
}

const inRules = 'put conditions on other rows into the rules of "access", or into a before-hook';

function ofTerm(term: Term, scope: ScopeModel): ConditionProblem | null {
  switch (term.kind) {
    case "value":
      return null;
    case "field":
      return ofName(term.name, term.at, scope);
    case "user":
      return ofCaller(term);
    case "placeholder":
      return term.name === "now" ? ofTime(term) : ofCaller(term);
  }
}

function ofCaller(term: Term): ConditionProblem {
  const message = `${termText(term)} depends on the caller, but a check is the same for every caller`;
  return misuse(term.at, message, 'put conditions on the caller into the rules of "access"');
}

function ofTime(term: Term): ConditionProblem {
  const message = `${termText(term)} changes, so a row that passes the check today can break it tomorrow`;
  return misuse(
    term.at,
    message,
    "compare with a field; a before-hook can compare with the time of the write",
  );
}

function ofName(name: string, at: TextRange, scope: ScopeModel): ConditionProblem | null {
  if (name.includes("."))
    return misuse(at, `"${name}" is a field of another row, but a check sees only its own row`, inRules);
  if (isRuntimeColumn(name)) {
    const message = `"${name}" is set by the server, but a check can only use fields that requests write`;
    return misuse(at, message, "compare with a field of the model");
  }
  const relation = scope.relations.get(name);
  if (scope.columns.has(name) || (relation === undefined && !scope.collections.has(name))) return null;
  const hint = relation?.kind === "belongs_to" ? `write ${relation.field}` : inRules;
  return misuse(at, `"${name}" is a relation, but a check sees only its own row`, hint);
}

function misuse(at: TextRange, message: string, hint: string): ConditionProblem {
  return { code: "condition-in-check", at, message, hint };
}
