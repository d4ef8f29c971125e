import type { Comparison } from "./conditions.ts";

/** A value that is in a condition itself. */
export type ConditionLiteral = string | number | boolean;

/**
 * The condition of a check: over the fields of one row, without the caller and the time. What is unknown passes.
 * A field is the column of the same name.
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

/** The same condition over columns that are called otherwise. They are asked for in the order in which they are in it. */
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

/** The columns of a condition, each once, in the order in which they are in it. */
export function columnsOfCondition(condition: CheckCondition): string[] {
  const columns = new Set<string>();
  withColumnNames(condition, (column) => {
    columns.add(column);
    return column;
  });
  return [...columns];
}
