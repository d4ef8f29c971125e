import { fieldKinds } from "../../../../vocabulary/fields/field-kinds.ts";
import {
  type AggregateFunction,
  acceptsColumn,
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
  /** The enum of `groupBy`, shared with the order of lists; null if no column can be grouped by. */
  readonly groupBy: string | null;
  readonly orderBy: string;
  /** One line per field, like `answer`. */
  readonly orders: readonly string[];
  /** Whether `search` has any fields. */
  readonly searches: boolean;
  readonly functions: readonly TypedName[];
  /** The types of functions, without duplicates. */
  readonly parts: readonly FunctionView[];
  /** Group-by fields and aggregates under the keys of the answer, one line per field: `price: Int, sum_price: BigInt`. */
  readonly answer: readonly string[];
}

/** An aggregate function with its possible columns. */
interface FunctionView extends TypedName {
  readonly columns: readonly TypedName[];
}

/** Keys of the answer that a group-by field cannot have. */
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

/** The aggregates of one column, by their keys in the answer. */
function figuresOf(column: SchemaColumn): TypedName[] {
  const names = aggregateFunctions.filter((name) => isOffered(name, column));
  return names.map((name) => ({ name: aggregateKey(name, column.name), type: typeOf(name, column) }));
}

/** Removes duplicate names: a field can have the name of an aggregate of another field. */
function orderLines(fields: readonly (readonly { readonly name: string }[])[]): string[] {
  const known = new Set<string>();
  return fields.flatMap((names) => {
    const fresh = names.filter(({ name }) => !known.has(name));
    for (const { name } of fresh) known.add(name);
    const line = fresh.flatMap(({ name }) => bothDirections(name)).join(" ");
    return line === "" ? [] : [line];
  });
}

/** The functions that accept a column of the model. */
function functionsOf(model: ModelDefinition): FunctionView[] {
  return aggregateFunctions.flatMap((name): FunctionView[] => {
    const columns = readableColumns(model)
      .filter((column) => isOffered(name, column))
      .map((column) => ({ name: column.name, type: typeOf(name, column) }));
    return columns.length > 0 ? [{ name, type: aggregatePartType(model.key, name), columns }] : [];
  });
}

/** Whether the schema has an aggregate. Sums of ids are useless, so the schema leaves them out. */
function isOffered(name: AggregateFunction, column: SchemaColumn): boolean {
  const { name: field, kind } = column;
  const addsIds = kind === "bigint" && (name === "sum" || name === "avg");
  return acceptsColumn(name, column) && !addsIds && aggregateKey(name, field).length <= maxIdentifierLength;
}

/** The type of an aggregate. The minimum and maximum of an enum have the type of the enum. */
function typeOf(name: AggregateFunction, { kind, type }: SchemaColumn): string {
  const given = resultKind(name, kind);
  return given === kind ? type : fieldKinds[given].graphql.value;
}

/** Keys of the answer that the service reads as aggregates of a column, even if a field has the same name. */
function aggregateKeys(column: SchemaColumn): string[] {
  const names = aggregateFunctions.filter((name) => acceptsColumn(name, column));
  return names.map((name) => aggregateKey(name, column.name));
}
