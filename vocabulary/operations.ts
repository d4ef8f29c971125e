/** The ten operations of a model, in the order in which they are listed everywhere (contract: "CRUD"). */
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

/** What a policy says of an operation without an entry of its own: whose rules hold for it (decisions, part 4). */
export const fallbacks = { count: "as fetch", exists: "as fetch", upsert: "as create and update" } as const;

/** An operation that holds the rules of others where it has none of its own. */
export type Fallback = keyof typeof fallbacks;
