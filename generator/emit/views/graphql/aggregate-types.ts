import { fieldKinds } from "../../../../vocabulary/fields/field-kinds.ts";
import {
  type AggregateFunction,
  acceptsKind,
  aggregateFunctions,
  aggregateKey,
  resultKind,
} from "../../../../vocabulary/graphql/aggregates.ts";
import { aggregateArguments } from "../../../../vocabulary/graphql/arguments.ts";
import {
  aggregatePartType,
  aggregateType,
  inputTypes,
  sharedTypes,
} from "../../../../vocabulary/graphql/names.ts";
import { maxIdentifierLength } from "../../../../vocabulary/identifiers.ts";
import type { ModelDefinition } from "../../../definition/definition.ts";
import {
  type ArgumentFacts,
  argumentFacts,
  bothDirections,
  filtersExcept,
  orderable,
  orderType,
  searchFieldsOf,
  type TypedName,
} from "./queries.ts";
import { readableColumns, type SchemaColumn } from "./schema-columns.ts";

/** The root field of a model's aggregates, and its types. */
export interface AggregateView extends ArgumentFacts {
  readonly key: string;
  readonly type: string;
  readonly filters: readonly TypedName[];
  /** The enum of `groupBy`, which is that of the order of lists; null where there is nothing to group by. */
  readonly groupBy: string | null;
  readonly orderBy: string;
  /** A line a field, like `answer`. */
  readonly orders: readonly string[];
  /** Whether `search` has fields to look through. */
  readonly searches: boolean;
  readonly functions: readonly TypedName[];
  /** The types of functions, each of them once. */
  readonly parts: readonly FunctionView[];
  /** Group-by fields and figures under the keys of the answer, a line a field: `price: Int, sum_price: BigInt`. */
  readonly answer: readonly string[];
}

/** A function of aggregates with the columns that it fits. */
interface FunctionView extends TypedName {
  readonly columns: readonly TypedName[];
}

/** Keys of the answer that no group-by field can have. */
const fixedKeys = ["count", ...aggregateFunctions];

/** The view of a model's aggregates. */
export function aggregateView(model: ModelDefinition): AggregateView {
  const functions = functionsOf(model);
  const grouped = orderable(model);
  const keys = new Set([...fixedKeys, ...grouped.flatMap(aggregateKeys)]);
  const answer = readableColumns(model).map((column) => {
    const group = grouped.includes(column) && !keys.has(column.name) ? [column] : [];
    return [...group.map(({ name, type }) => ({ name, type })), ...figuresOf(column)];
  });
  const orders = grouped.map((column) => [column, ...figuresOf(column)]);
  return {
    key: model.key,
    type: aggregateType(model.key),
    filters: filtersExcept(aggregateArguments, model),
    ...argumentFacts(model),
    groupBy: orderType(model) === null ? null : sharedTypes(model).groupBy,
    orderBy: inputTypes(model).aggregateOrderBy,
    orders: orderLines([[{ name: "count" }], ...orders]),
    searches: searchFieldsOf(model).length > 0,
    functions: functions.map(({ name, type }) => ({ name, type })),
    parts: [...new Map(functions.map((one) => [one.type, one])).values()],
    answer: answer
      .filter((keysOfField) => keysOfField.length > 0)
      .map((keysOfField) => keysOfField.map(({ name, type }) => `${name}: ${type}`).join(", ")),
  };
}

/** The figures of one column, by their keys in the answer. */
function figuresOf(column: SchemaColumn): TypedName[] {
  const names = aggregateFunctions.filter((name) => isOffered(name, column));
  return names.map((name) => ({ name: aggregateKey(name, column.name), type: typeOf(name, column) }));
}

/** Each name once: a field may be called like a figure of another one. */
function orderLines(fields: readonly (readonly { readonly name: string }[])[]): string[] {
  const known = new Set<string>();
  return fields.flatMap((names) => {
    const fresh = names.filter(({ name }) => !known.has(name));
    for (const { name } of fresh) known.add(name);
    const line = fresh.flatMap(({ name }) => bothDirections(name)).join(" ");
    return line === "" ? [] : [line];
  });
}

/** The functions that fit a column of a model. */
function functionsOf(model: ModelDefinition): FunctionView[] {
  return aggregateFunctions.flatMap((name): FunctionView[] => {
    const columns = readableColumns(model)
      .filter((column) => isOffered(name, column))
      .map((column) => ({ name: column.name, type: typeOf(name, column) }));
    return columns.length > 0 ? [{ name, type: aggregatePartType(model.key, name), columns }] : [];
  });
}

/** Whether the schema has a figure. No one adds up ids, though the service would. */
function isOffered(name: AggregateFunction, { name: field, kind }: SchemaColumn): boolean {
  const addsIds = kind === "bigint" && (name === "sum" || name === "avg");
  return acceptsKind(name, kind) && !addsIds && aggregateKey(name, field).length <= maxIdentifierLength;
}

/** An enum keeps its type where its values are given. */
function typeOf(name: AggregateFunction, { kind, type }: SchemaColumn): string {
  const given = resultKind(name, kind);
  return given === kind ? type : fieldKinds[given].graphql.value;
}

/** Keys of the answer that the service takes for figures of a column, also where a field has such a name. */
function aggregateKeys({ name: field, kind }: SchemaColumn): string[] {
  const names = aggregateFunctions.filter((name) => acceptsKind(name, kind));
  return names.map((name) => aggregateKey(name, field));
}
