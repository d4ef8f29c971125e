/** Arguments by name, with the parameter of a list over REST that each represents. All others are filters. */
export type ParameterArguments = ReadonlyMap<string, string>;

/** Those of a `has_many`. */
export const collectionArguments: ParameterArguments = new Map([
  ["limit", "limit"],
  ["offset", "offset"],
  ["orderBy", "order_by"],
  ["order_by", "order_by"],
]);

/** Those of a root field that answers rows. */
export const listArguments: ParameterArguments = new Map([...collectionArguments, ["search", "search_term"]]);

/** Those of aggregates, which alone have `group_by`. */
export const aggregateArguments: ParameterArguments = new Map([
  ...listArguments,
  ["groupBy", "group_by"],
  ["group_by", "group_by"],
]);

/** Stands behind a name in `orderBy` where the greatest comes first: no enum can say `-title`. */
export const descendingSuffix = "__desc";
