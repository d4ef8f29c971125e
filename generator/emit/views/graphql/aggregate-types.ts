import { fieldKinds, isOrderedKind } from "../../../../vocabulary/field-kinds.ts";
import { aggregateArguments } from "../../../../vocabulary/graphql-arguments.ts";
import {
  aggregateFunctions,
  aggregatePartType,
  aggregateType,
  inputTypes,
  sharedTypes,
} from "../../../../vocabulary/graphql-names.ts";
import { maxIdentifierLength } from "../../../../vocabulary/identifiers.ts";
import type { ModelDefinition } from "../../../definition/definition.ts";
import {
  type ArgumentFacts,
  argumentFacts,
  bothWays,
  filtersBeside,
  orderable,
  orderType,
  searchedFields,
  type TypedName,
} from "./queries.ts";
import { type Column, readableColumns } from "./schema-columns.ts";

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
const ownKeys = ["count", "sum", "avg", "min", "max"];

/** The view of a model's aggregates. */
export function aggregateView(model: ModelDefinition): AggregateView {
  const functions = functionsOf(model);
  const grouped = orderable(model);
  const keys = new Set([...ownKeys, ...grouped.flatMap(aggregateKeys)]);
  const answer = readableColumns(model).map((column) => {
    const group = grouped.includes(column) && !keys.has(column.name) ? [column] : [];
    return [...group.map(({ name, type }) => ({ name, type })), ...aggregatesIn(functions, column)];
  });
  const orders = grouped.map((column) => [column, ...aggregatesIn(functions, column)]);
  return {
    key: model.key,
    type: aggregateType(model.key),
    filters: filtersBeside(aggregateArguments, model),
    ...argumentFacts(model),
    groupBy: orderType(model) === null ? null : sharedTypes(model).groupBy,
    orderBy: inputTypes(model).aggregateOrderBy,
    orders: orderLines([[{ name: "count" }], ...orders]),
    searches: searchedFields(model).length > 0,
    functions: functions.map(({ name, type }) => ({ name, type })),
    parts: [...new Map(functions.map((one) => [one.type, one])).values()],
    answer: answer
      .filter((keysOfField) => keysOfField.length > 0)
      .map((keysOfField) => keysOfField.map(({ name, type }) => `${name}: ${type}`).join(", ")),
  };
}

/** The figures of one column, by their keys in the answer. */
function aggregatesIn(functions: readonly FunctionView[], { name }: Column): TypedName[] {
  return functions.flatMap((one) =>
    one.columns
      .filter((column) => column.name === name)
      .map((column) => ({ name: aggregateKey(one.name, column), type: column.type })),
  );
}

/** Each name once: a field may be called like a figure of another one. */
function orderLines(fields: readonly (readonly { readonly name: string }[])[]): string[] {
  const known = new Set<string>();
  return fields.flatMap((names) => {
    const fresh = names.filter(({ name }) => !known.has(name));
    for (const { name } of fresh) known.add(name);
    const line = fresh.flatMap(({ name }) => bothWays(name)).join(" ");
    return line === "" ? [] : [line];
  });
}

type Name = (typeof aggregateFunctions)[number];

interface Rules {
  readonly fits: (column: Column) => boolean;
  readonly type: (column: Column) => string;
}

const { bigint, float } = fieldKinds;

/** What each function takes and gives. Nobody adds up ids, though the service would. */
const rules: Readonly<Record<Name, Rules>> = {
  sum: { fits: isNumber, type: ({ kind }) => (kind === "integer" ? bigint : float).graphql.value },
  avg: { fits: isNumber, type: () => float.graphql.value },
  min: { fits: isOrdered, type: ({ type }) => type },
  max: { fits: isOrdered, type: ({ type }) => type },
};

/** The functions that fit a column of a model. */
function functionsOf(model: ModelDefinition): FunctionView[] {
  return aggregateFunctions.flatMap((name): FunctionView[] => {
    const { fits, type } = rules[name];
    const columns = readableColumns(model)
      .filter((column) => fits(column) && aggregateKey(name, column).length <= maxIdentifierLength)
      .map((column) => ({ name: column.name, type: type(column) }));
    return columns.length > 0 ? [{ name, type: aggregatePartType(model.key, name), columns }] : [];
  });
}

/** The key of a figure in the answer: `sum_total`. */
function aggregateKey(name: string, column: { readonly name: string }): string {
  return `${name}_${column.name}`;
}

/** Keys of the answer that stand for figures of a column, also where a field has such a name. */
function aggregateKeys(column: Column): string[] {
  const names = aggregateFunctions.filter((name) => column.kind === "bigint" || rules[name].fits(column));
  return names.map((name) => aggregateKey(name, column));
}

function isNumber({ kind }: Column): boolean {
  return fieldKinds[kind].summed && kind !== "bigint";
}

function isOrdered({ kind }: Column): boolean {
  return isOrderedKind(kind);
}
