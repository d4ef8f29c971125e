import type { RouteMethod } from "./custom-routes.ts";

/** The ten operations of a model, in the order in which all lists show them. */
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

/** Operations that only read. */
export const readOperations = ["fetch", "search", "count", "exists"] as const satisfies readonly Operation[];

/** Operations whose rules can name fields. */
export const fieldOperations = [
  "create",
  "update",
  "upsert",
  "restore",
] as const satisfies readonly Operation[];

export type Operation = (typeof operations)[number];

/** The operations that a model has, internal or not. */
export function modelOperations(model: {
  readonly softDelete: boolean;
  readonly readOnly: boolean;
}): readonly Operation[] {
  const all: readonly Operation[] = model.readOnly ? readOperations : operations;
  return all.filter((operation) => operation !== "restore" || model.softDelete);
}

/** The key of `access` for operations without rules of their own. */
export const allOperations = "$all";

/** A key of `access` that holds rules. */
export type AccessKey = Operation | typeof allOperations;

/** The HTTP method of each operation's route. The path is `/` and the operation. */
export const operationMethods = {
  fetch: "GET",
  search: "GET",
  count: "GET",
  exists: "GET",
  create: "POST",
  update: "PUT",
  upsert: "PUT",
  delete: "DELETE",
  destroy: "DELETE",
  restore: "PATCH",
} as const satisfies Readonly<Record<Operation, RouteMethod>>;

/**
 * Operations that can have the rules of others: `search` if its entry is the phrase, the others if `access` has no entry. For an upsert,
 * the rules of the first one apply to inserted rows, and those of the second one to updated rows.
 */
export const fallbacks = {
  search: ["fetch"],
  count: ["fetch"],
  exists: ["fetch"],
  upsert: ["create", "update"],
} as const satisfies Readonly<Partial<Record<Operation, readonly Operation[]>>>;

/** An operation with fallback rules. */
export type Fallback = keyof typeof fallbacks;

/** The text of a fallback in a policy: `as fetch`, `as create and update`. */
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

/** The text in a policy for an operation without an entry. */
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

/**
 * Parameters of a list request that only clients of the API send: the cursor of a page, and whether the page
 * has a total.
 */
export const pageParameters: ReadonlySet<string> = new Set(["page__after", "page__before", "page__total"]);

/** The values of `page__total`. */
export const pageTotals = ["exact", "estimated", "none"] as const;

export type PageTotal = (typeof pageTotals)[number];

/** Parameters of a search that are not filters. */
export const searchParameters: ReadonlySet<string> = new Set([...listParameters, "search_term"]);

/** Default page size. */
export const defaultLimit = 10;
