import { isComparableKind, typeOfKind } from "../../../../vocabulary/fields/field-kinds.ts";
import type { Problem } from "../../../core/errors/index.ts";
import { type Column, columnsOf, type Model } from "../../../models/index.ts";
import { aggregateOfKey, isApplicable } from "./aggregate-functions.ts";
import type { Result } from "./aggregate-selection.ts";
import { orderOf } from "./list-arguments.ts";

/** What groups are ordered by; ties go by the group-by fields. */
export interface AggregateOrder {
  readonly by: Exclude<Result, { readonly kind: "typename" }>;
  readonly descending: boolean;
}

/** Reads `groupBy`: the name of a field, or several. What is wrong goes to `problems`. */
export function readGroupBy(model: Model, value: unknown, problems: Problem[]): readonly Column[] {
  if (value === undefined) return [];
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (names.length === 0) problems.push({ field: "groupBy", message: "must name a field, or several" });
  const columns = new Set<Column>();
  for (const name of names) {
    const column = typeof name === "string" ? columnsOf(model).get(name) : undefined;
    if (column === undefined) problems.push({ field: "groupBy", message: "is not a field" });
    else if (!isComparableKind(column.kind))
      problems.push({ field: "groupBy", message: `cannot group by a ${typeOfKind(column.kind)} field` });
    if (column !== undefined) columns.add(column);
  }
  return [...columns];
}

/** Reads `orderBy`: a group-by field, `count` or the key of an aggregate, with `-` before or `__desc` behind it for descending. */
export function readAggregateOrder(
  model: Model,
  value: unknown,
  groupBy: readonly Column[],
  problems: Problem[],
): { readonly order: AggregateOrder | null; readonly columns: readonly string[] } {
  if (value === undefined) return { order: null, columns: [] };
  const { name, descending } = orderOf(value);
  const key = typeof name === "string" ? name : "";
  if (key === "count") return { order: { by: { kind: "count" }, descending }, columns: [] };
  const aggregate = aggregateOfKey(model, key);
  if (aggregate !== undefined && isApplicable(aggregate))
    return { order: { by: { kind: "aggregate", aggregate }, descending }, columns: [aggregate.column.name] };
  const column = columnsOf(model).get(key);
  if (column !== undefined && groupBy.includes(column))
    return { order: { by: { kind: "group", column }, descending }, columns: [key] };
  problems.push({ field: "orderBy", message: "must be a field of groupBy, count, or a key of the answer" });
  const named = column ?? aggregate?.column;
  return { order: null, columns: named === undefined ? [] : [named.name] };
}
