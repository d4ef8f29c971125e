import type { ModelDefinition } from "../../../definition/definition.ts";
import { graphqlTypes } from "../../../definition/graphql-names.ts";
import { type Column, isEnumValue, readableColumns } from "./columns.ts";
import { bothWays, filtersOf, orderable, type TypedName } from "./lists.ts";

/** The root field of a model's aggregates, and its types. */
export interface AggregateView {
  readonly key: string;
  readonly typeName: string;
  readonly filters: readonly TypedName[];
  readonly usualLimit: number;
  readonly maxLimit: number;
  /** Names that `groupBy` takes; null where there are none. */
  readonly groups: readonly string[] | null;
  readonly orders: readonly string[];
  /** The functions that fit a column, with those columns. */
  readonly functions: readonly FunctionView[];
  /** Group-by fields and results under the keys of the answer. */
  readonly answer: readonly TypedName[];
}

interface FunctionView {
  readonly name: string;
  /** One of its columns, for the description. */
  readonly first: string;
  readonly columns: readonly TypedName[];
}

const reserved: ReadonlySet<string> = new Set([
  "limit",
  "offset",
  "orderBy",
  "order_by",
  "groupBy",
  "group_by",
  "search",
]);

/** Keys of the answer that no group-by field can have. */
const ownKeys: ReadonlySet<string> = new Set(["count", "sum", "avg", "min", "max"]);

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
    typeName: model.typeName,
    filters: filtersOf(model).filter(({ name }) => !reserved.has(name)),
    usualLimit: Math.min(10, model.maxLimit),
    maxLimit: model.maxLimit,
    groups: groups.length > 0 ? groups : null,
    orders: [...orders].flatMap(bothWays),
    functions,
    answer: [...grouped.filter(({ name }) => !keys.has(name)), ...results],
  };
}

function functionsOf(model: ModelDefinition): FunctionView[] {
  const columns = readableColumns(model);
  const of = (name: string, fits: (column: Column) => boolean, type: (column: Column) => string) => {
    const fitting = columns.filter(fits).map((column) => ({ name: column.name, type: type(column) }));
    return fitting[0] === undefined ? [] : [{ name, first: fitting[0].name, columns: fitting }];
  };
  return [
    ...of("sum", isNumber, ({ kind }) =>
      kind === "integer" ? graphqlTypes.bigint.value : graphqlTypes.float.value,
    ),
    ...of("avg", isNumber, () => graphqlTypes.float.value),
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
