import type { ModelDefinition } from "../../../definition/definition.ts";
import { aggregatePartType, aggregateType, graphqlTypes } from "../../../definition/graphql-names.ts";
import { type Column, isEnumValue, readableColumns } from "./columns.ts";
import { bothWays, filtersOf, limitsOf, orderable, type TypedName } from "./lists.ts";

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
  readonly functions: readonly FunctionView[];
  /** Group-by fields and results under the keys of the answer. */
  readonly answer: readonly TypedName[];
}

/** A function with the columns that it fits. */
interface FunctionView extends TypedName {
  /** A key of the answer. */
  readonly example: string;
  readonly columns: readonly TypedName[];
}

/** Arguments that are never filters. */
const reserved: ReadonlySet<string> = new Set(
  "limit offset orderBy order_by groupBy group_by search".split(" "),
);

/** Keys of the answer that no group-by field can have. */
const ownKeys = ["count", "sum", "avg", "min", "max"];

/** The view of a model's aggregates. */
export function aggregateView(model: ModelDefinition): AggregateView {
  const functions = functionsOf(model);
  const results = functions.flatMap(({ name, columns }) =>
    columns.map((column) => ({ name: `${name}_${column.name}`, type: column.type })),
  );
  const keys = new Set([...ownKeys, ...results.map(({ name }) => name)]);
  const grouped = orderable(model);
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
    functions,
    answer: [...grouped.filter(({ name }) => !keys.has(name)), ...results],
  };
}

function functionsOf(model: ModelDefinition): FunctionView[] {
  const columns = readableColumns(model);
  const { bigint, float } = graphqlTypes;
  const of = (
    name: "sum" | "avg" | "min" | "max",
    fits: (column: Column) => boolean,
    type: (column: Column) => string,
  ): FunctionView[] => {
    const fitting = columns.filter(fits).map((column) => ({ name: column.name, type: type(column) }));
    if (fitting[0] === undefined) return [];
    const example = `${name}_${fitting[0].name}`;
    return [{ name, type: aggregatePartType(model.key, name), example, columns: fitting }];
  };
  return [
    ...of("sum", isNumber, ({ kind }) => (kind === "integer" ? bigint.value : float.value)),
    ...of("avg", isNumber, () => float.value),
    ...of("min", isOrdered, ({ type }) => type),
    ...of("max", isOrdered, ({ type }) => type),
  ];
}

/** Nobody adds up ids. */
function isNumber({ kind }: Column): boolean {
  return kind === "integer" || kind === "float";
}

function isOrdered({ kind }: Column): boolean {
  return kind !== "boolean" && kind !== "uuid" && kind !== "json";
}
