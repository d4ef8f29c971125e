/** Arguments by name, with the REST parameter of each. All other arguments are filters. */
export type ParameterArguments = ReadonlyMap<string, string>;

/** Arguments of a `has_many`. */
export const collectionArguments: ParameterArguments = new Map([
  ["limit", "limit"],
  ["offset", "offset"],
  ["orderBy", "order_by"],
  ["order_by", "order_by"],
]);

/** Arguments of a root field that returns rows. */
export const listArguments: ParameterArguments = new Map([...collectionArguments, ["search", "search_term"]]);

/** Arguments of a root field that returns a page by cursor. Its filters are in `where`. */
export const pageArguments: ParameterArguments = new Map([
  ["where", "where"],
  ["search", "search_term"],
  ["orderBy", "order_by"],
  ["order_by", "order_by"],
  ["limit", "limit"],
  ["after", "page__after"],
  ["before", "page__before"],
  ["total", "page__total"],
]);

/** Arguments of aggregates. Only these have `group_by`. */
export const aggregateArguments: ParameterArguments = new Map([
  ...listArguments,
  ["groupBy", "group_by"],
  ["group_by", "group_by"],
]);

/** Suffix of a name in `orderBy` for descending order: an enum value cannot be `-title`. */
export const descendingSuffix = "__desc";
