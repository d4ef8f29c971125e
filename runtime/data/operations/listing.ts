import type { Grant } from "../../models/access/index.ts";
import { type BindValue, type RowFilter, searchPattern } from "../sql/index.ts";
import type { OperationContext } from "./operation-context.ts";
import type { ListInput } from "./request-input.ts";

/** The operations that return lists. */
export type ListOperation = "fetch" | "search";

/** A list to read. */
export interface Listing {
  readonly call: OperationContext;
  readonly grant: Grant;
  readonly operation: ListOperation;
  /** The input of the caller. */
  readonly sent: ListInput;
  /** The same after the before-hook. */
  readonly input: ListInput;
  /** The searched fields; empty if it is not a search. */
  readonly searchIn: readonly string[];
}

/** The values of a list in the order of its SQL: filters, then the search pattern. */
export function rowValues(input: ListInput, searchIn: readonly string[]): BindValue[] {
  const values = input.filters.map((filter) => filter.value);
  if (searchIn.length > 0) values.push(searchPattern(input.search_term ?? ""));
  return values;
}

/** The rows that a list can return. */
export function rowsOf({ call, grant, input, searchIn }: Omit<Listing, "sent" | "operation">): RowFilter {
  const { model, services } = call;
  return { model, models: services.models, filters: input.filters, scope: grant.scope, searchIn };
}
