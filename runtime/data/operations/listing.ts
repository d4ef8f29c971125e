import type { Grant } from "../../models/access/index.ts";
import type { RowFilter } from "../sql/index.ts";
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
  /** The input after the before-hook. */
  readonly input: ListInput;
  /** The searched fields; empty if it is not a search. */
  readonly searchIn: readonly string[];
}

/** The rows that a list can return. */
export function rowsOf({ call, grant, input, searchIn }: Omit<Listing, "sent" | "operation">): RowFilter {
  const { model, services } = call;
  return { model, models: services.models, filters: input.filters, scope: grant.scope, searchIn };
}
