import {
  type Condition,
  isOtherField,
  rowItself,
  type Subject,
} from "../../vocabulary/conditions/conditions.ts";
import { keyField } from "../definition/stored.ts";
import type { ReportDiagnostic } from "../diagnostics/index.ts";
import type { LintedModel, LintedRule } from "./lint-context.ts";

/** Finds conditions of `create` on rows that refer to the new row, and on columns that are NULL before the insert. */
export function lintNewRows(
  model: LintedModel,
  { operation, condition, text }: LintedRule,
  report: ReportDiagnostic,
): void {
  if (operation !== "create" || condition === null || text === null) return;
  for (const message of new Set(constantParts(condition, model)))
    report(
      "exists-on-create",
      text.at,
      `${message}: no row refers to it yet`,
      "remove this part, or start the path with a belongs_to",
    );
  for (const field of missingYet(condition, model))
    report(
      "exists-on-create",
      text.at,
      `"${field}" is NULL in a new row, so a comparison with it is never true, and a NOT EXISTS around it is always true`,
      `remove the comparison (EXISTS does not find the new row), or write ${field} IS NULL OR …`,
    );
}

/** Columns of the row itself that are NULL before the insert, if the condition never tests them for NULL. */
function missingYet(condition: Condition, { definition }: LintedModel): string[] {
  const hasId = definition.idType === "uuid" || definition.idSent || keyField(definition) !== null;
  const filled = hasId ? ["deleted_at"] : ["id", "deleted_at"];
  const leaves = leavesOf(condition).flatMap(({ leaf, depth }) =>
    fieldsOf(leaf)
      .filter((field) => filled.some((name) => field === (depth === 0 ? name : `${rowItself}.${name}`)))
      .map((field) => ({ field, isAsked: leaf.op === "is_null" || leaf.op === "is_not_null" })),
  );
  const asked = new Set(leaves.filter(({ isAsked }) => isAsked).map(({ field }) => field));
  return [...new Set(leaves.map(({ field }) => field))].filter((field) => !asked.has(field));
}

interface Compared {
  readonly leaf: Extract<Condition, { readonly field: Subject }>;
  /** The number of EXISTS around it. */
  readonly depth: number;
}

function leavesOf(condition: Condition, depth = 0): Compared[] {
  switch (condition.op) {
    case "and":
    case "or":
      return condition.conditions.flatMap((part) => leavesOf(part, depth));
    case "not":
      return leavesOf(condition.condition, depth);
    case "exists":
      return condition.where === null ? [] : leavesOf(condition.where, depth + 1);
    default:
      return [{ leaf: condition, depth }];
  }
}

/** The position within a condition. */
interface ConditionPosition {
  readonly depth: number;
  readonly negated: boolean;
}

/** Describes the parts of a condition with a constant result, because no row refers to a new row. */
function constantParts(
  condition: Condition,
  model: LintedModel,
  at: ConditionPosition = { depth: 0, negated: false },
): string[] {
  switch (condition.op) {
    case "and":
    case "or":
      return condition.conditions.flatMap((part) => constantParts(part, model, at));
    case "not":
      return constantParts(condition.condition, model, { ...at, negated: !at.negated });
    case "exists": {
      const { path, where } = condition;
      const shown = `EXISTS (${path}${where === null ? "" : " WHERE …"})`;
      const which = at.negated ? `NOT ${shown} is always true` : `${shown} is always false`;
      if (isBelow(path.split("."), model, at)) return [`${which} for a new row`];
      return where === null ? [] : constantParts(where, model, { ...at, depth: at.depth + 1 });
    }
    default:
      return fieldsOf(condition)
        .filter((field) => isBelow(field.split(".").slice(0, -1), model, at))
        .map((field) => `"${field}" is NULL in a new row`);
  }
}

/** Whether a path starts at the row itself with a `has_many` or `has_one`. */
function isBelow(
  [first, ...rest]: readonly string[],
  { scope }: LintedModel,
  { depth }: ConditionPosition,
): boolean {
  if (depth > 0 && first !== rowItself) return false;
  const relation = scope.relations.get((depth > 0 ? rest[0] : first) ?? "");
  return relation !== undefined && relation.kind !== "belongs_to";
}

function fieldsOf(condition: Extract<Condition, { readonly field: Subject }>): string[] {
  const other = "value" in condition && isOtherField(condition.value) ? [condition.value.field] : [];
  return typeof condition.field === "string" ? [condition.field, ...other] : other;
}
