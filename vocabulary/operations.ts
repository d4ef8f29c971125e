/** The ten operations of a model, in the order in which they are listed everywhere. */
export const operations = [
  "fetch",
  "search",
  "count",
  "exists",
  "create",
  "update",
  "upsert",
  "delete",
  "destroy",
  "restore",
] as const;

/** Those that read rows and change nothing. */
export const readOperations = ["fetch", "search", "count", "exists"] as const satisfies readonly Operation[];

export type Operation = (typeof operations)[number];

/**
 * Whose rules hold for an operation without an entry of its own in `access`: of an upsert the first for rows
 * that it adds, and the last for those that it changes. Any other operation without an entry is open to no one.
 */
export const fallbacks = {
  count: ["fetch"],
  exists: ["fetch"],
  upsert: ["create", "update"],
} as const satisfies Readonly<Partial<Record<Operation, readonly Operation[]>>>;

/** An operation that holds the rules of others where it has none of its own. */
export type Fallback = keyof typeof fallbacks;

/** What a policy says of it: `as fetch`, `as create and update`. */
export type FallbackPhrase<Op extends Fallback = Fallback> = {
  [Name in Fallback]: (typeof fallbacks)[Name] extends readonly [
    infer First extends string,
    infer Last extends string,
  ]
    ? `as ${First} and ${Last}`
    : `as ${(typeof fallbacks)[Name][0]}`;
}[Op];

export function isFallback(operation: Operation): operation is Fallback {
  return Object.hasOwn(fallbacks, operation);
}

/** What a policy says of an operation without an entry of its own. */
export function fallbackPhrase(operation: Fallback): string {
  return `as ${fallbacks[operation].join(" and ")}`;
}

/** Parameters of a fetch that are not filters. */
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
