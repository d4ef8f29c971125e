import type { ModelDefinition } from "../../../definition/definition.ts";
import { aggregateType } from "../../../definition/graphql-names.ts";
import { isEnumValue } from "./columns.ts";
import { type FigureView, figureKey, figureKeys, figuresOf } from "./figures.ts";
import { bothWays, filtersOf, limitsOf, orderable, searchedText, type TypedName } from "./lists.ts";

/** The root field of a model's aggregates, and its types. */
export interface AggregateView {
  readonly key: string;
  readonly type: string;
  readonly filters: readonly TypedName[];
  readonly usualLimit: number;
  readonly maxLimit: number;
  /** The enum of `groupBy`; null where there is nothing to group by. */
  readonly groupBy: string | null;
  readonly groups: readonly string[];
  readonly orderBy: string;
  readonly orders: readonly string[];
  /** The fields that `search` looks through; null without such an argument. */
  readonly searched: string | null;
  readonly functions: readonly FigureView[];
  /** Group-by fields and results under the keys of the answer. */
  readonly answer: readonly TypedName[];
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
  const results = functions.flatMap(({ name, columns }) =>
    columns.map((column) => ({ name: figureKey(name, column), type: column.type })),
  );
  const grouped = orderable(model);
  const keys = new Set([...ownKeys, ...grouped.flatMap(figureKeys)]);
  const groups = grouped.map(({ name }) => name).filter(isEnumValue);
  const orders = new Set(["count", ...grouped.map(({ name }) => name), ...results.map(({ name }) => name)]);
  return {
    key: model.key,
    type: aggregateType(model.key),
    filters: filtersOf(model).filter(({ name }) => !reserved.has(name)),
    ...limitsOf(model),
    groupBy: groups.length > 0 ? `${model.typeName}GroupBy` : null,
    groups,
    orderBy: `${model.typeName}AggregateOrderBy`,
    orders: [...orders].flatMap(bothWays),
    searched: searchedText(model),
    functions,
    answer: [...grouped.filter(({ name }) => !keys.has(name)), ...results],
  };
}
