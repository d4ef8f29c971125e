import { elementKindOf } from "../../../../vocabulary/fields/field-kinds.ts";
import type { Operator } from "../../../../vocabulary/fields/filter-operators.ts";
import { answeredValue } from "../../../models/answered-values.ts";
import type { Column } from "../../../models/index.ts";
import type { BindValue, Filter } from "../../sql/index.ts";

/** The filters in the form that hooks get and give: `field` or `field__operator` to value. */
export function writeWhere(filters: readonly Filter[]): Record<string, unknown> {
  return Object.fromEntries(
    filters.map(({ column, operator, value }) => whereEntry(column, operator, value)),
  );
}

function whereEntry(column: Column, operator: Operator, value: BindValue): [string, unknown] {
  const { name: field } = column;
  switch (operator) {
    case "eq":
      return [field, typedValue(column, value)];
    case "is_null":
    case "is_not_null":
      return [`${field}__${operator}`, true];
    case "like":
    case "ilike":
      return [`${field}__${operator}`, sentPattern(String(value))];
    default:
      return [`${field}__${operator}`, typedValue(column, value)];
  }
}

/** A pattern as it was sent: a hook that gives back what it got sends it again, and `%` around it are counted then. */
function sentPattern(pattern: string): string {
  const sent = pattern.replaceAll("\\\\", "\\");
  const inner = /^%([^%]+)%$/s.exec(sent)?.[1];
  return inner ?? sent;
}

/**
 * A bound value as hooks know it: whole numbers are bound as text, to which no size is too large, and exact numbers have the
 * form that is answered.
 */
function typedValue({ kind: columnKind, decimal }: Column, value: BindValue): unknown {
  const kind = elementKindOf(columnKind) ?? columnKind;
  const isWhole = kind === "integer" || kind === "bigint";
  const typed = (item: unknown) =>
    isWhole && Number.isSafeInteger(Number(item)) ? Number(item) : answeredValue(kind, item, decimal);
  // A list is a copy: filters outlive the request, and a hook may change what it gets in place.
  return Array.isArray(value) ? value.map(typed) : typed(value);
}
