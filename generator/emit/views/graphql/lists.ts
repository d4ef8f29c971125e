import type { ModelDefinition } from "../../../definition/definition.ts";
import { type Column, filterType, isEnumValue, readableColumns } from "./columns.ts";
import { description } from "./description.ts";
import { searchedFields } from "./reach.ts";

/** A name with its type, as arguments and fields of inputs print. */
export interface TypedName {
  readonly name: string;
  readonly type: string;
}

/** The arguments of a list of rows, those of its own name excepted. */
export interface ListView {
  readonly filters: readonly TypedName[];
  readonly usualLimit: number;
  readonly maxLimit: number;
  /** The enum of `orderBy`; null where nothing can be ordered by. */
  readonly orderBy: string | null;
}

/** A root field that answers rows. */
export interface QueryView extends ListView {
  readonly key: string;
  readonly doc: string | null;
  /** The fields that `search` looks through; null without such an argument. */
  readonly searched: string | null;
  /** Rows are reached by search alone, so that it must be sent. */
  readonly onlySearch: boolean;
}

/** What a list answers without `limit` (contract: "GraphQL"). */
const usualLimit = 10;

const reserved: ReadonlySet<string> = new Set(["limit", "offset", "orderBy", "order_by"]);

/** The list of a `has_many`. */
export function listView(model: ModelDefinition): ListView {
  return {
    filters: filtersOf(model).filter(({ name }) => !reserved.has(name)),
    usualLimit: Math.min(usualLimit, model.maxLimit),
    maxLimit: model.maxLimit,
    orderBy: orderNames(model).length > 0 ? `${model.typeName}OrderBy` : null,
  };
}

/** The root field of a model's rows. */
export function queryView(model: ModelDefinition): QueryView {
  const list = listView(model);
  const searched = searchedFields(model);
  return {
    ...list,
    filters: list.filters.filter(({ name }) => name !== "search"),
    key: model.key,
    doc: description(model.description, "  "),
    searched: searched.length > 0 ? searched.join(", ") : null,
    onlySearch: model.access.operations.fetch.length === 0,
  };
}

/** A filter for each column that somebody may read. One on `deleted_at` has no effect (decisions, part 5). */
export function filtersOf(model: ModelDefinition): TypedName[] {
  return readableColumns(model).flatMap((column) => {
    const type = filterType(column);
    return type === null || column.name === "deleted_at" ? [] : [{ name: column.name, type }];
  });
}

/** Names that `orderBy` takes, each with its descending form beside it, a line each. */
export function orderNames(model: ModelDefinition): string[] {
  return orderable(model).flatMap(({ name }) => bothWays(name));
}

/** Columns to order or to group by. */
export function orderable(model: ModelDefinition): Column[] {
  return readableColumns(model).filter(({ kind }) => kind !== "json");
}

/** `title title__desc`, without what no enum can name. */
export function bothWays(name: string): string[] {
  const names = [name, `${name}__desc`].filter(isEnumValue);
  return names.length > 0 ? [names.join(" ")] : [];
}
