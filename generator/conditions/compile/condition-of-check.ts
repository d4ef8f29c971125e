import type { CheckCondition, ConditionLiteral } from "../../../vocabulary/conditions/check-tree.ts";
import type { Condition, Value } from "../../../vocabulary/conditions/conditions.ts";
import { GeneratorBug } from "../../diagnostics/bug.ts";
import type { ConditionProblem } from "../hints/condition-problem.ts";
import { parseCondition } from "../language/parse-condition.ts";
import { misusesInCheck } from "./check-misuses.ts";
import { compileExpression } from "./compile-condition.ts";
import type { ConditionScope } from "./condition-scope.ts";
import { namesOf, outside } from "./condition-scope.ts";

/** The condition of a check; null, with its problems, where it is none. */
export interface CompiledCheck {
  readonly condition: CheckCondition | null;
  readonly problems: readonly ConditionProblem[];
}

/** Reads the condition of a check, over the fields of the model alone (decisions, part 4). */
export function compileCheck(text: string, scope: ConditionScope): CompiledCheck {
  const parsed = parseCondition(text, namesOf(scope));
  if ("problem" in parsed) return { condition: null, problems: [parsed.problem] };
  const misuses = misusesInCheck(parsed.expression, scope);
  if (misuses.length > 0) return { condition: null, problems: misuses };
  const from = { ...outside(scope), isCheck: true };
  const { condition, problems } = compileExpression(parsed.expression, text, from);
  return { condition: condition === null ? null : ofOneRow(condition), problems };
}

/** The same tree, of which nothing knows the caller, the time or another row. */
function ofOneRow(condition: Condition): CheckCondition {
  switch (condition.op) {
    case "exists":
      throw unseen();
    case "and":
    case "or":
      return { op: condition.op, conditions: condition.conditions.map(ofOneRow) };
    case "not":
      return { op: "not", condition: ofOneRow(condition.condition) };
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
  return new GeneratorBug("a check is about more than its row, and was let pass");
}
