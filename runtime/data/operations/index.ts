import { count, exists } from "./count.ts";
import { create } from "./create.ts";
import { fetch, search } from "./list.ts";
import { destroy, remove, restore } from "./remove.ts";
import { update } from "./update.ts";
import { upsert } from "./upsert.ts";

export {
  readAppChange,
  readAppQuery,
  readAppRecord,
  readAppRemoval,
  readAppWhere,
  withoutUndefined,
} from "./app-input.ts";
/**
 * The operations of models, independent of REST and GraphQL. They return a response or throw a `ServiceError`.
 * If a request can be rejected for two reasons, the checks run in this order:
 *
 *     const { model, policy } = entry;
 *     const grant = guard(policy.fetch).authorize(principal);                   // the operation
 *     const call = operationContext(services, entry, { principal, requestId, address, trace: noTrace });
 *     const problems: Problem[] = [];
 *     const filters = readFilters(model, [["status", "open"]], problems);
 *     const input = readListInput(model, filters, new Map([["limit", 5]]), problems);
 *     requireFields(call.view, input);                                          // the fields that it names
 *     refuseProblems(problems);                                                 // their values
 *     const { data } = await crud.fetch.run(call, grant, input);                // JSON text
 *
 * Keep guards, since they cache roles. Code without access rules uses a grant with all rows. `execute` of a write
 * operation shares a transaction, with `mutationScope`.
 */
export { readTotal } from "./count.ts";
export { createRecords } from "./create.ts";
export { databaseProblem, type Sought } from "./database-problem.ts";
export {
  combinedFilters,
  isDropped,
  listItems,
  readFilter,
  readFilters,
  type SentFilter,
} from "./filters.ts";
export { type KeysetPage, keysetPage, type PageApi } from "./keyset-page.ts";
export { pageValues, readWithHooks, searchedFields } from "./list.ts";
export type { Listing, ListOperation } from "./listing.ts";
export { openRows, type Rows, recordNotFound, rowsByIds } from "./matched-rows.ts";
export {
  type Changed,
  type MutationResult,
  type MutationScope,
  type MutationSteps,
  mutate,
  mutationScope,
  type Returning,
  transactionOf,
  type WriteOperation,
  writeOperations,
} from "./mutation.ts";
export {
  type Caller,
  type CrudOperation,
  type CrudServices,
  type Guard,
  guard,
  hasherOf,
  hookOriginOf,
  type Identified,
  type ModelEntry,
  type OperationContext,
  type OperationDatabase,
  operationContext,
  readsOf,
  runPlan,
} from "./operation-context.ts";
export * from "./request-input.ts";
export { listFields, readFieldFilters, readWhereForm } from "./where-form.ts";

/** The ten operations of a model. */
export const crud = {
  fetch,
  search,
  count,
  exists,
  create,
  update,
  upsert,
  delete: remove,
  destroy,
  restore,
};
