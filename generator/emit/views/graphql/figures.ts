import { fieldKinds, isOrderedKind } from "../../../../vocabulary/field-kinds.ts";
import { aggregateFunctions, aggregatePartType } from "../../../../vocabulary/graphql-names.ts";
import type { ModelDefinition } from "../../../definition/definition.ts";
import { type Column, readableColumns } from "./columns.ts";
import type { TypedName } from "./lists.ts";

/** A function of aggregates with the columns that it fits. */
export interface FigureView extends TypedName {
  readonly columns: readonly TypedName[];
}

/** Characters of the longest key that the service answers. */
const longestKey = 63;

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
export function figuresOf(model: ModelDefinition): FigureView[] {
  return aggregateFunctions.flatMap((name): FigureView[] => {
    const { fits, type } = rules[name];
    const columns = readableColumns(model)
      .filter((column) => fits(column) && figureKey(name, column).length <= longestKey)
      .map((column) => ({ name: column.name, type: type(column) }));
    return columns.length > 0 ? [{ name, type: aggregatePartType(model.key, name), columns }] : [];
  });
}

/** The key of a figure in the answer: `sum_total`. */
export function figureKey(name: string, column: { readonly name: string }): string {
  return `${name}_${column.name}`;
}

/** Keys of the answer that stand for figures of a column, also where a field has such a name. */
export function figureKeys(column: Column): string[] {
  const names = aggregateFunctions.filter((name) => column.kind === "bigint" || rules[name].fits(column));
  return names.map((name) => figureKey(name, column));
}

function isNumber({ kind }: Column): boolean {
  return fieldKinds[kind].summed && kind !== "bigint";
}

function isOrdered({ kind }: Column): boolean {
  return isOrderedKind(kind);
}
