import { fieldKinds, isOrderedKind } from "../../../vocabulary/field-kinds.ts";
import type { AggregateFunction } from "../../../vocabulary/graphql-names.ts";
import { type Column, columnsOf, type Model } from "../../model/index.ts";

const isSummed = ({ kind }: Column) => fieldKinds[kind].summed;
const isOrdered = ({ kind }: Column) => isOrderedKind(kind);

/** Which columns the functions of aggregates take. */
const functions: Readonly<Record<AggregateFunction, (column: Column) => boolean>> = {
  sum: isSummed,
  avg: isSummed,
  min: isOrdered,
  max: isOrdered,
};

/** A function over a column. */
export interface Aggregate {
  readonly name: AggregateFunction;
  readonly column: Column;
  /** Under which it is answered, and ordered by: `sum_total`. */
  readonly key: string;
}

/** Whether a name is that of a function. */
export function isFunction(name: string): name is AggregateFunction {
  return Object.hasOwn(functions, name);
}

export function aggregateOf(name: AggregateFunction, column: Column): Aggregate {
  return { name, column, key: `${name}_${column.name}` };
}

/** Whether the function takes columns of this kind. */
export function isApplicable({ name, column }: Aggregate): boolean {
  return functions[name](column);
}

/** The aggregate that a key such as `sum_total` names. */
export function aggregateOfKey(model: Model, key: string): Aggregate | undefined {
  const end = key.indexOf("_");
  const name = key.slice(0, Math.max(end, 0));
  const column = columnsOf(model).get(key.slice(end + 1));
  return isFunction(name) && column !== undefined ? aggregateOf(name, column) : undefined;
}
