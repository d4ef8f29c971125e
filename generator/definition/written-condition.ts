import type { Condition } from "../../vocabulary/conditions/conditions.ts";

type Junction = Extract<Condition, { op: "and" | "or" | "not" | "exists" }>;

/** A condition with calls of named conditions, as the models file has it. */
export type WrittenCondition =
  | Exclude<Condition, Junction>
  | { readonly op: "and" | "or"; readonly conditions: readonly WrittenCondition[] }
  | { readonly op: "not"; readonly condition: WrittenCondition }
  | { readonly op: "exists"; readonly path: string; readonly where: WrittenCondition | null }
  | CallCondition;

/** A call of a named condition. */
export interface CallCondition {
  readonly op: "call";
  readonly name: string;
  /** Join names, to the row that the condition is about. Empty for the current row. */
  readonly path: string;
  /** The condition of the definition, behind the path. */
  readonly means: WrittenCondition;
}

/** The condition with what its calls mean. `a AND (b AND c)` is flat, as everywhere. */
export function expanded(condition: WrittenCondition): Condition {
  switch (condition.op) {
    case "and":
    case "or": {
      const { op } = condition;
      const parts = condition.conditions.map(expanded);
      return { op, conditions: parts.flatMap((part) => (part.op === op ? part.conditions : [part])) };
    }
    case "not":
      return { op: "not", condition: expanded(condition.condition) };
    case "exists":
      return { ...condition, where: condition.where === null ? null : expanded(condition.where) };
    case "call":
      return expanded(condition.means);
    default:
      return condition;
  }
}
