import { comparedByDbType } from "../fields/db-types.ts";
import { type FieldKind, fieldKinds, isExactKind, isOrderedKind } from "../fields/field-kinds.ts";
import type { ComparedField } from "../fields/filter-operators.ts";

/** Functions of aggregates that take a field. */
export const aggregateFunctions = ["sum", "avg", "min", "max"] as const;

export type AggregateFunction = (typeof aggregateFunctions)[number];

/** Whether a name is one of these functions. */
export function isAggregateFunction(name: string): name is AggregateFunction {
  return aggregateFunctions.some((one) => one === name);
}

/** Whether a function accepts fields of a kind. */
export function acceptsKind(name: AggregateFunction, kind: FieldKind): boolean {
  return name === "sum" || name === "avg" ? fieldKinds[kind].summed : isOrderedKind(kind);
}

/** Whether a function accepts a column: not one whose type has fewer operators than its kind. */
export function acceptsColumn(name: AggregateFunction, column: ComparedField): boolean {
  return acceptsKind(name, column.kind) && comparedByDbType(column) === null;
}

/** The kind of a function's result for fields of a kind. */
export function resultKind(name: AggregateFunction, kind: FieldKind): FieldKind {
  if (name === "min" || name === "max") return kind;
  if (isExactKind(kind)) return "decimal";
  if (name === "avg") return "float";
  // The sum of whole numbers is a whole number, of a wider type.
  return kind === "integer" ? "bigint" : kind;
}

/** Number of decimals that an average of exact numbers has in addition to those of its field. */
export const averageDecimals = 6;

/** The key of a result in the response: `sum_total`. */
export function aggregateKey(name: AggregateFunction, field: string): string {
  return `${name}_${field}`;
}

/** Splits a key such as `sum_total` into function and field; null for other names. */
export function parseAggregateKey(
  key: string,
): { readonly name: AggregateFunction; readonly field: string } | null {
  const name = aggregateFunctions.find((one) => key.startsWith(aggregateKey(one, "")));
  return name === undefined ? null : { name, field: key.slice(aggregateKey(name, "").length) };
}
