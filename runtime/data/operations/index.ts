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
export { createRecords } from "./create-many.ts";
export { crud } from "./crud.ts";
export { databaseProblem, type Sought } from "./database-problem.ts";
export { type Guard, guard } from "./guard.ts";
export type { Identified } from "./identified.ts";
export * from "./input/body-input.ts";
export {
  readCodeChange,
  readCodeQuery,
  readCodeRecord,
  readCodeRemoval,
  readCodeWhere,
  withoutUndefined,
} from "./input/code-input.ts";
export { combinedFilters } from "./input/combined-filters.ts";
export { listItems } from "./input/filter-values.ts";
export { isDropped, readFilter, readFilters, type SentFilter } from "./input/filters.ts";
export { allOf, type ListInput, readListInput } from "./input/list-input.ts";
export { type ListOperation, pageValues, readWithHooks, searchedFields } from "./list.ts";
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
  hasherOf,
  hookOriginOf,
  type ModelEntry,
  type OperationContext,
  type OperationDatabase,
  operationContext,
  readsOf,
  runPlan,
} from "./operation-context.ts";
export { openRows, type Rows, rowsByIds } from "./rows-by-ids.ts";
export { noSuchRecord } from "./touched-rows.ts";
