import { maxPatternLength } from "../../../../vocabulary/conditions/conditions.ts";
import { isOrderable } from "../../../../vocabulary/fields/filter-operators.ts";
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
import { usualOrderOf } from "../stored-view.ts";
import { filterType, isEnumValue, readableColumns, type SchemaColumn } from "./schema-columns.ts";

/** The name and the type of an argument or field. */
export interface TypedName {
  readonly name: string;
  readonly type: string;
}

/** Facts in the descriptions of arguments. */
export interface ArgumentFacts {
  readonly usualLimit: number;
  readonly maxLimit: number;
  /** Longest text for `search`, in characters. */
  readonly maxPatternLength: number;
  /** The suffix of a name for descending order. */
  readonly descending: string;
}

/** The arguments of a list of rows. */
export interface ListView extends ArgumentFacts {
  readonly filters: readonly TypedName[];
  /** The enum of `orderBy`; null if no column can be ordered by. */
  readonly orderBy: string | null;
}

/** A root field that returns rows. */
export interface RootListView extends ListView {
  readonly key: string;
  readonly doc: string | null;
  /** The order without `orderBy`, in words. */
  readonly usualOrder: string;
  /** The fields of `search`; null without this argument. */
  readonly searched: string | null;
  /** The type of this argument. It is required if only search is open. */
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

/** The arguments of a list of rows, such as a `has_many`. */
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
    usualOrder: usualOrderOf(model)
      .map((name) => `\`${name}\``)
      .join(", "),
    searched: searched.length > 0 ? searched.join(", ") : null,
    search: model.access.operations.fetch.length > 0 ? "String" : "String!",
    page: hasPages(model, models) ? pageView(model) : null,
  };
}

function pageView(model: ModelDefinition): PageView {
  const where = filtersOf(model).length > 0 ? inputTypes(model).where : null;
  return { name: pageField(model.key), type: pageType(model), where };
}

/** Facts for the descriptions of a model's arguments. */
export function argumentFacts({ maxLimit }: ModelDefinition): ArgumentFacts {
  const usualLimit = Math.min(defaultLimit, maxLimit);
  return { usualLimit, maxLimit, maxPatternLength, descending: descendingSuffix };
}

/** The fields of `search`; empty if search is open to no one. */
export function searchFieldsOf(model: ModelDefinition): string[] {
  if (model.access.operations.search.length === 0) return [];
  return readableColumns(model).flatMap(({ name, field }) => (field?.searchable === true ? [name] : []));
}

/** A filter for each readable column, except `deleted_at`, on which a filter has no effect. */
export function filtersOf(model: ModelDefinition): TypedName[] {
  return readableColumns(model).flatMap((column) => {
    const type = filterType(column);
    return type === null || column.name === "deleted_at" ? [] : [{ name: column.name, type }];
  });
}

/** The filters of a list, except those with the name of another argument. */
export function filtersExcept(others: ParameterArguments, model: ModelDefinition): TypedName[] {
  return filtersOf(model).filter(({ name }) => !others.has(name));
}

/** The enum of `orderBy` in lists; null if no column can be ordered by. */
export function orderType(model: ModelDefinition): string | null {
  return orderNames(model).length > 0 ? inputTypes(model).orderBy : null;
}

/** The values of `orderBy`, each with its descending form. */
export function orderNames(model: ModelDefinition): string[] {
  return orderable(model).flatMap(({ name }) => bothDirections(name));
}

/** Columns to order or to group by. */
export function orderable(model: ModelDefinition): SchemaColumn[] {
  return readableColumns(model).filter(isOrderable);
}

/** `title title__desc`, without names that are invalid as enum values. */
export function bothDirections(name: string): string[] {
  const names = [name, `${name}${descendingSuffix}`].filter(isEnumValue);
  return names.length > 0 ? [names.join(" ")] : [];
}
