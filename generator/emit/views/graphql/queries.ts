import { maxPatternLength } from "../../../../vocabulary/conditions/conditions.ts";
import { isComparableKind } from "../../../../vocabulary/fields/field-kinds.ts";
import {
  collectionArguments,
  descendingSuffix,
  listArguments,
  type ParameterArguments,
} from "../../../../vocabulary/graphql/arguments.ts";
import { hasPages, inputTypes, pageField, pageType } from "../../../../vocabulary/graphql/names.ts";
import { defaultLimit } from "../../../../vocabulary/operations.ts";
import type { ModelDefinition } from "../../../definition/definition.ts";
import { graphqlDescription } from "../../literal.ts";
import { filterType, isEnumValue, readableColumns, type SchemaColumn } from "./schema-columns.ts";

/** A name with its type, as arguments and fields print. */
export interface TypedName {
  readonly name: string;
  readonly type: string;
}

/** What the descriptions of arguments tell. */
export interface ArgumentFacts {
  readonly usualLimit: number;
  readonly maxLimit: number;
  /** Characters that `search` takes. */
  readonly maxPatternLength: number;
  /** What is behind a name to order by where the greatest comes first. */
  readonly descending: string;
}

/** The arguments of a list of rows. */
export interface ListView extends ArgumentFacts {
  readonly filters: readonly TypedName[];
  /** The enum of `orderBy`; null where nothing can be ordered by. */
  readonly orderBy: string | null;
}

/** A root field that answers rows. */
export interface RootListView extends ListView {
  readonly key: string;
  readonly doc: string | null;
  /** The fields that `search` looks through; null without such an argument. */
  readonly searched: string | null;
  /** Type of that argument, which must be sent where only search reaches rows. */
  readonly search: string;
  /** The root field of its pages by cursor; null where a model has that name. */
  readonly page: PageView | null;
}

/** A root field that answers pages by cursor. */
export interface PageView {
  readonly name: string;
  readonly type: string;
  /** The input of its filters; null where nothing can be filtered by. */
  readonly where: string | null;
}

/** The arguments of a list of rows, as a `has_many` has them. */
export function listView(model: ModelDefinition): ListView {
  return {
    filters: filtersExcept(collectionArguments, model),
    ...argumentFacts(model),
    orderBy: orderType(model),
  };
}

/** The root field of a model's rows. */
export function rootListView(model: ModelDefinition, models: { has(key: string): boolean }): RootListView {
  const list = listView(model);
  const searched = searchFieldsOf(model);
  return {
    ...list,
    filters: filtersExcept(listArguments, model),
    key: model.key,
    doc: graphqlDescription(model.description, "  "),
    searched: searched.length > 0 ? searched.join(", ") : null,
    search: model.access.operations.fetch.length > 0 ? "String" : "String!",
    page: hasPages(model, models) ? pageView(model) : null,
  };
}

function pageView(model: ModelDefinition): PageView {
  const where = filtersOf(model).length > 0 ? inputTypes(model).where : null;
  return { name: pageField(model.key), type: pageType(model), where };
}

/** What the descriptions of a model's arguments tell: the facts that the service goes by. */
export function argumentFacts({ maxLimit }: ModelDefinition): ArgumentFacts {
  const usualLimit = Math.min(defaultLimit, maxLimit);
  return { usualLimit, maxLimit, maxPatternLength, descending: descendingSuffix };
}

/** The fields that `search` looks through; none where no one may search. */
export function searchFieldsOf(model: ModelDefinition): string[] {
  if (model.access.operations.search.length === 0) return [];
  return readableColumns(model).flatMap(({ name, field }) => (field?.searchable === true ? [name] : []));
}

/** A filter for each column that someone may read. One on `deleted_at` has no effect. */
export function filtersOf(model: ModelDefinition): TypedName[] {
  return readableColumns(model).flatMap((column) => {
    const type = filterType(column);
    return type === null || column.name === "deleted_at" ? [] : [{ name: column.name, type }];
  });
}

/** The filters that are arguments of a list, among other arguments. */
export function filtersExcept(others: ParameterArguments, model: ModelDefinition): TypedName[] {
  return filtersOf(model).filter(({ name }) => !others.has(name));
}

/** The enum of `orderBy` in lists; null where nothing can be ordered by. */
export function orderType(model: ModelDefinition): string | null {
  return orderNames(model).length > 0 ? inputTypes(model).orderBy : null;
}

/** Names that `orderBy` takes, each with its descending form next to it. */
export function orderNames(model: ModelDefinition): string[] {
  return orderable(model).flatMap(({ name }) => bothDirections(name));
}

/** Columns to order or to group by. */
export function orderable(model: ModelDefinition): SchemaColumn[] {
  return readableColumns(model).filter(({ kind }) => isComparableKind(kind));
}

/** `title title__desc`, without what no enum can name. */
export function bothDirections(name: string): string[] {
  const names = [name, `${name}${descendingSuffix}`].filter(isEnumValue);
  return names.length > 0 ? [names.join(" ")] : [];
}
