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
