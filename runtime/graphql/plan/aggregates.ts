import { type Column, columnsOf, type FieldKind, type Model } from "../../model/index.ts";

const numbers: readonly FieldKind[] = ["integer", "bigint", "float"];
const ordered: readonly FieldKind[] = [...numbers, "string", "text", "email", "date", "datetime"];

/** The functions of aggregates, and the kinds of column that they take. */
const functions = { sum: numbers, avg: numbers, min: ordered, max: ordered } as const;

export type AggregateFunction = keyof typeof functions;

/** A function over a column. */
export interface Figure {
  readonly name: AggregateFunction;
  readonly column: Column;
  /** Under which it is answered, and ordered by: `sum_total`. */
  readonly key: string;
}

/** Whether a name is that of a function. */
export function isFunction(name: string): name is AggregateFunction {
  return Object.hasOwn(functions, name);
}

export function figure(name: AggregateFunction, column: Column): Figure {
  return { name, column, key: `${name}_${column.name}` };
}

/** Whether the function takes columns of this kind. */
export function isApplicable({ name, column }: Figure): boolean {
  return functions[name].includes(column.kind);
}

/** The figure that a key such as `sum_total` names. */
export function figureOfKey(model: Model, key: string): Figure | undefined {
  const end = key.indexOf("_");
  const name = key.slice(0, Math.max(end, 0));
  const column = columnsOf(model).get(key.slice(end + 1));
  return isFunction(name) && column !== undefined ? figure(name, column) : undefined;
}
