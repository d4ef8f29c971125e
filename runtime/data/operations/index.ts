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
 * The operations of models, below any front. A front says who calls and what is asked for, and gets an answer or a
 * `ServiceError`; where a refusal could have two reasons, they are checked in this order:
 *
 *     const { model, policy } = entry;
 *     const grant = guard(policy.fetch).admit(principal);                       // the operation
 *     const call = operationContext(services, entry, { principal, requestId, address, trace: noTrace });
 *     const problems: Problem[] = [];
 *     const filters = readFilters(model, [["status", "open"]], problems);
 *     const input = readListInput(model, filters, new Map([["limit", 5]]), problems);
 *     requireFields(call.view, input);                                          // the fields that it names
 *     refuseProblems(problems);                                                 // their values
 *     const { data } = await crud.fetch.run(call, grant, input);                // JSON text
 *
 * Guards are kept, since they remember roles. Code that no access rule holds for gives a grant of its own, with all rows.
 * `perform` of an operation that writes shares the transaction of others, which `mutationScope` makes it part of.
 */
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
export { type ListOperation, pageValues, readWithHooks, searchedFields } from "./list.ts";
export { noSuchRecord, openRows, type Rows, rowsByIds } from "./matched-rows.ts";
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
