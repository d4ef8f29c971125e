/** Parameters of a fetch that are no filters (contract: "Pagination, selection, ordering"). */
export const listParameters: ReadonlySet<string> = new Set([
  "limit",
  "page",
  "offset",
  "order_by",
  "order",
  "select_fields",
]);

/** Those of a search. */
export const searchParameters: ReadonlySet<string> = new Set([...listParameters, "search_term"]);

/** Most rows of an answer where no `limit` is sent. */
export const defaultLimit = 10;
