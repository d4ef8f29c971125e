import type { Comparison } from "./conditions.ts";

/** A literal value in a condition. */
export type ConditionLiteral = string | number | boolean;

/**
 * The condition of a check. It uses only fields of one row, not the caller or the time. NULL passes. Each
 * field is the column of the same name.
 */
export type CheckCondition =
  | {
      readonly op: Comparison;
      readonly field: string;
      readonly value: ConditionLiteral | { readonly field: string };
    }
  | { readonly op: "in" | "not_in"; readonly field: string; readonly values: readonly ConditionLiteral[] }
  | {
      readonly op: "between";
      readonly field: string;
      readonly from: ConditionLiteral;
      readonly to: ConditionLiteral;
    }
  | { readonly op: "contains"; readonly field: string; readonly value: ConditionLiteral }
  | { readonly op: "overlaps"; readonly field: string; readonly values: readonly ConditionLiteral[] }
  | { readonly op: "is_null" | "is_not_null"; readonly field: string }
  | { readonly op: "and" | "or"; readonly conditions: readonly CheckCondition[] }
  | { readonly op: "not"; readonly condition: CheckCondition };

/** Returns a condition with other column names. Calls `nameOf` in the order of the condition. */
export function withColumnNames(
  condition: CheckCondition,
  nameOf: (column: string) => string,
): CheckCondition {
  switch (condition.op) {
    case "and":
    case "or":
      return { ...condition, conditions: condition.conditions.map((part) => withColumnNames(part, nameOf)) };
    case "not":
      return { ...condition, condition: withColumnNames(condition.condition, nameOf) };
    case "in":
    case "not_in":
    case "between":
    case "contains":
    case "overlaps":
    case "is_null":
    case "is_not_null":
      return { ...condition, field: nameOf(condition.field) };
    default: {
      const { value } = condition;
      const field = nameOf(condition.field);
      return {
        ...condition,
        field,
        value: typeof value === "object" ? { field: nameOf(value.field) } : value,
      };
    }
  }
}

/** The columns of a condition without duplicates, in the order of the condition. */
export function columnsOfCondition(condition: CheckCondition): string[] {
  const columns = new Set<string>();
  withColumnNames(condition, (column) => {
    columns.add(column);
    return column;
  });
  return [...columns];
}
