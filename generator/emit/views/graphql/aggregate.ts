import { aggregateType } from "../../../../vocabulary/graphql-names.ts";
import type { ModelDefinition } from "../../../definition/definition.ts";
import { type Column, readableColumns } from "./columns.ts";
import { type FigureView, figureKey, figureKeys, figuresOf } from "./figures.ts";
import {
  bothWays,
  filtersOf,
  limitsOf,
  orderable,
  orderNames,
  searchedText,
  type TypedName,
} from "./lists.ts";

/** The root field of a model's aggregates, and its types. */
export interface AggregateView {
  readonly key: string;
  readonly type: string;
  readonly filters: readonly TypedName[];
  readonly usualLimit: number;
  readonly maxLimit: number;
  /** The enum of `groupBy`, which is that of the order of lists; null where there is nothing to group by. */
  readonly groupBy: string | null;
  readonly orderBy: string;
  /** A line a field, like `answer`. */
  readonly orders: readonly string[];
  /** Whether `search` has fields to look through. */
  readonly searches: boolean;
  readonly functions: readonly TypedName[];
  /** The types of functions, each of them once. */
  readonly parts: readonly FigureView[];
  /** Group-by fields and figures under the keys of the answer, a line a field: `price: Int, sum_price: BigInt`. */
  readonly answer: readonly string[];
}

/** Arguments that are never filters. */
const reserved: ReadonlySet<string> = new Set(
  "limit offset orderBy order_by groupBy group_by search".split(" "),
);

/** Keys of the answer that no group-by field can have. */
const ownKeys = ["count", "sum", "avg", "min", "max"];

/** The view of a model's aggregates. */
export function aggregateView(model: ModelDefinition): AggregateView {
  const functions = figuresOf(model);
  const grouped = orderable(model);
  const keys = new Set([...ownKeys, ...grouped.flatMap(figureKeys)]);
  const answer = readableColumns(model).map((column) => {
    const group = grouped.includes(column) && !keys.has(column.name) ? [column] : [];
    return [...group.map(({ name, type }) => ({ name, type })), ...figuresIn(functions, column)];
  });
  const orders = grouped.map((column) => [column, ...figuresIn(functions, column)]);
  return {
    key: model.key,
    type: aggregateType(model.key),
    filters: filtersOf(model).filter(({ name }) => !reserved.has(name)),
    ...limitsOf(model),
    groupBy: orderNames(model).length > 0 ? `${model.typeName}OrderBy` : null,
    orderBy: `${model.typeName}AggregateOrderBy`,
    orders: ["count count__desc", ...orderLines(orders)],
    searches: searchedText(model) !== null,
    functions: functions.map(({ name, type }) => ({ name, type })),
    parts: [...new Map(functions.map((figure) => [figure.type, figure])).values()],
    answer: answer
      .filter((keysOfField) => keysOfField.length > 0)
      .map((keysOfField) => keysOfField.map(({ name, type }) => `${name}: ${type}`).join(", ")),
  };
}

/** The figures of one column, by their keys in the answer. */
function figuresIn(functions: readonly FigureView[], { name }: Column): TypedName[] {
  return functions.flatMap((figure) =>
    figure.columns
      .filter((column) => column.name === name)
      .map((column) => ({ name: figureKey(figure.name, column), type: column.type })),
  );
}

/** Each name once: a field may be called like a figure of another one. */
function orderLines(fields: readonly (readonly { readonly name: string }[])[]): string[] {
  const known = new Set(["count"]);
  return fields.flatMap((names) => {
    const fresh = names.filter(({ name }) => !known.has(name));
    for (const { name } of fresh) known.add(name);
    const line = fresh.flatMap(({ name }) => bothWays(name)).join(" ");
    return line === "" ? [] : [line];
  });
}
