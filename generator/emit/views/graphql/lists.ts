import type { ModelDefinition } from "../../../definition/definition.ts";
import { type Column, filterType, isEnumValue, readableColumns } from "./columns.ts";
import { searchedFields } from "./reach.ts";

/** A name with its type, as arguments and fields print. */
export interface TypedName {
  readonly name: string;
  readonly type: string;
}

/** The arguments of a list of rows. */
export interface ListView {
  readonly filters: readonly TypedName[];
  readonly usualLimit: number;
  readonly maxLimit: number;
  /** The enum of `orderBy`; null where nothing can be ordered by. */
  readonly orderBy: string | null;
}

/** Arguments of lists that are never filters (contract: "GraphQL"). */
const reserved: ReadonlySet<string> = new Set(["limit", "offset", "orderBy", "order_by"]);

/** The arguments of a list of rows, as a `has_many` has them. */
export function listView(model: ModelDefinition): ListView {
  return {
    filters: filtersOf(model).filter(({ name }) => !reserved.has(name)),
    ...limitsOf(model),
    orderBy: orderNames(model).length > 0 ? `${model.typeName}OrderBy` : null,
  };
}

/** What a list answers without `limit`, and at most (contract: "GraphQL"). */
export function limitsOf({ maxLimit }: ModelDefinition): Pick<ListView, "usualLimit" | "maxLimit"> {
  return { usualLimit: Math.min(10, maxLimit), maxLimit };
}

/** The fields that `search` looks through, for its description; null where nobody may search. */
export function searchedText(model: ModelDefinition): string | null {
  const fields = searchedFields(model);
  return fields.length > 0 ? fields.join(", ") : null;
}

/** A filter for each column that somebody may read. One on `deleted_at` has no effect (decisions, part 5). */
export function filtersOf(model: ModelDefinition): TypedName[] {
  return readableColumns(model).flatMap((column) => {
    const type = filterType(column);
    return type === null || column.name === "deleted_at" ? [] : [{ name: column.name, type }];
  });
}

/** Names that `orderBy` takes, each with its descending form beside it. */
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
