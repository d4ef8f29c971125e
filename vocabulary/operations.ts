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

export type Operation = (typeof operations)[number];
