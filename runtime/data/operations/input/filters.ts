import { elementKindOf } from "../../../../vocabulary/fields/field-kinds.ts";
import { type Operator, operators } from "../../../../vocabulary/fields/filter-operators.ts";
import type { Problem } from "../../../core/errors/index.ts";
import { type Column, columnsOf, type Model } from "../../../models/index.ts";
import { type BindValue, type Filter, operatorsOf } from "../../sql/index.ts";
import { combinedFilters } from "./combined-filters.ts";
import { readList, readPattern, readScalar, readWholeList } from "./filter-values.ts";

const suffixes: ReadonlyMap<string, Operator> = new Map(
  operators.filter((name) => name !== "eq").map((o) => [o, o]),
);

/** A condition as a request states it. `label` is what messages call it. */
export interface SentFilter {
  readonly field: string;
  /** Undefined where the request names one that there is not. */
  readonly operator: Operator | undefined;
  /** The operator as the request has it. */
  readonly operatorName: string;
  readonly value: unknown;
  readonly label: string;
}

/**
 * Reads a caller's filters from pairs of `field` or `field__operator` and value, as they stand in a query string or in a
 * JSON `where`. One on `deleted_at` is dropped, and the value of a null check ignored (contract: "Filters").
 */
export function readFilters(
  model: Model,
  pairs: Iterable<readonly [key: string, value: unknown]>,
  problems: Problem[],
): Filter[] {
  const filters: Filter[] = [];
  for (const [key, value] of pairs) {
    const sent = sentFilter(key, value);
    if (isDropped(sent.field)) continue;
    const isNullCheck = sent.operator === "is_null" || sent.operator === "is_not_null";
    const filter = readFilter(model, isNullCheck ? { ...sent, value: true } : sent, problems);
    if (filter !== null) filters.push(filter);
  }
  return filters;
}

/** Whether a caller's filter on a field is dropped, whatever its operator and value. */
export function isDropped(field: string): boolean {
  return field === "deleted_at";
}

/** A condition from a key `field` or `field__operator` and its value. */
export function sentFilter(key: string, value: unknown): SentFilter {
  // Names hold no `__`, but may end in an underscore.
  const split = key.lastIndexOf("__");
  if (split === -1) return { field: key, operator: "eq", operatorName: "eq", value, label: key };
  const operatorName = key.slice(split + 2);
  return {
    field: key.slice(0, split),
    operator: suffixes.get(operatorName),
    operatorName,
    value,
    label: key,
  };
}

/**
 * Reads one filter, a caller's or one that a hook puts in. What is wrong goes to `problems`; the filter then matches
 * nothing, and is kept so that a forbidden field is seen even where its value is malformed.
 */
export function readFilter(model: Model, sent: SentFilter, problems: Problem[]): Filter | null {
  const { field, operator, operatorName, value, label } = sent;
  const column = columnsOf(model).get(field);
  if (column === undefined) {
    problems.push({ field: label, message: combinedFilters(label) ?? "is not a field" });
    return null;
  }
  if (operator === undefined) problems.push({ field: label, message: `knows no operator ${operatorName}` });
  else if (operatorsOf(column).has(operator)) return readValue(label, column, operator, value, problems);
  else problems.push({ field: label, message: `does not take the operator ${operatorName}` });
  return { field, label, column, operator: "in", value: [] };
}

function readValue(
  key: string,
  column: Column,
  operator: Operator,
  value: unknown,
  problems: Problem[],
): Filter {
  const filter = (op: Operator, bound: BindValue): Filter => ({
    field: column.name,
    label: key,
    column,
    operator: op,
    value: bound,
  });
  switch (operator) {
    case "is_null":
    case "is_not_null":
      if (value !== true) problems.push({ field: key, message: "takes true alone" });
      return filter(operator, null);
    case "in":
    case "not_in":
    case "contains":
    case "overlaps":
      return filter(operator, readList(key, column, value, problems));
    case "between": {
      const range = readList(key, column, value, problems);
      if (range.length !== 2) problems.push({ field: key, message: "takes exactly two values" });
      return filter(operator, range);
    }
    case "like":
    case "ilike":
      return filter(operator, readPattern(key, value, problems));
    default:
      if (value === null && operator === "eq") return filter("is_null", null);
      if (elementKindOf(column.kind) !== null)
        return filter(operator, readWholeList(key, column, value, problems));
      return filter(operator, readScalar(key, column, value, problems));
  }
}
