import {
  type AggregateFunction,
  aggregateKey,
  parsedAggregateKey,
  takesKind,
} from "../../../../vocabulary/graphql/aggregates.ts";
import { type Column, columnsOf, type Model } from "../../../models/index.ts";

/** A function over a column. */
export interface Aggregate {
  readonly name: AggregateFunction;
  readonly column: Column;
  /** Under which it is answered, and ordered by: `sum_total`. */
  readonly key: string;
}

export function aggregateOf(name: AggregateFunction, column: Column): Aggregate {
  return { name, column, key: aggregateKey(name, column.name) };
}

/** Whether the function takes columns of this kind. */
export function isApplicable({ name, column }: Aggregate): boolean {
  return takesKind(name, column.kind);
}

/** The aggregate that a key such as `sum_total` names. */
export function aggregateOfKey(model: Model, key: string): Aggregate | undefined {
  const parsed = parsedAggregateKey(key);
  const column = parsed === null ? undefined : columnsOf(model).get(parsed.field);
  return parsed === null || column === undefined ? undefined : aggregateOf(parsed.name, column);
}
