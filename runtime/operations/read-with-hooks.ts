import { ServiceError } from "../errors/index.ts";
import { type AnyTypes, type Hook, type ListQuery, runHook } from "../hooks/index.ts";
import { type BindValue, searchFields, searchPattern } from "../sql/index.ts";
import { afterHook } from "./after-hook.ts";
import { writeWhere } from "./input/filters.ts";
import { fromHook, readHookQuery } from "./input/hook-input.ts";
import type { ListInput } from "./input/list-input.ts";
import { hookContextOf, type OperationContext } from "./operation-context.ts";

/** The operations that answer lists. */
export type ListOperation = "fetch" | "search";

type Query = ListQuery<AnyTypes>;
type Rows = Record<string, unknown>[];

/**
 * Runs an operation that answers a list: the before-hook, the rows, the after-hook. `read` gets what is asked for once the
 * before-hook has seen it, with the fields that a search covers, and gives rows as JSON text; `shape` makes the answer of
 * the rows that an after-hook leaves.
 */
export async function readWithHooks<Page extends { readonly data: string }>(
  call: OperationContext,
  operation: ListOperation,
  input: ListInput,
  read: (input: ListInput, searchIn: readonly string[]) => Promise<Page>,
  shape?: (rows: Rows) => unknown,
): Promise<Page> {
  const { [`before_${operation}` as const]: before, [`after_${operation}` as const]: after } =
    call.entry.hooks;
  const wanted = before === undefined ? input : await applyBeforeHook(call, operation, before, input);
  const page = await read(wanted, searchedFields(call, operation, wanted));
  if (after === undefined) return page;
  const rows: Rows = JSON.parse(page.data);
  return { ...page, data: await afterHook(after, rows, () => hookContextOf(call), shape) };
}

/** Fields that the hook names are its own affair: the caller's gates do not hold for them. */
async function applyBeforeHook(
  call: OperationContext,
  operation: ListOperation,
  hook: Hook<Query>,
  input: ListInput,
): Promise<ListInput> {
  const query = await runHook(hook, queryOf(input), () => hookContextOf(call));
  return fromHook(hook, query, (given, problems) => readHookQuery(call.model, operation, given, problems));
}

function queryOf(input: ListInput): Query {
  return {
    where: writeWhere(input.filters),
    limit: input.limit,
    ...(input.page !== null && { page: input.page }),
    ...(input.page === null && input.paginated && { offset: input.offset }),
    ...(input.order_by !== null && { order_by: input.order_by }),
    order: input.descending ? "DESC" : "ASC",
    ...(input.select_fields !== null && { select_fields: input.select_fields }),
    ...(input.search_term !== null && { search_term: input.search_term }),
  };
}

/** The fields that a search covers; 403 where there is none. A search without a term covers nothing: it is a fetch. */
export function searchedFields(
  { model, view }: OperationContext,
  operation: ListOperation,
  input: ListInput,
): readonly string[] {
  if (operation !== "search") return [];
  const fields = searchFields(model, view.unreadable);
  if (fields.length === 0)
    throw new ServiceError("PERMISSION_DENIED", "There is no searchable field for your role.");
  return input.search_term === null ? [] : fields;
}

/** The values of a page in the order of its SQL: those of the filters, the search pattern if any, limit and offset. */
export function pageValues(input: ListInput, searchIn: readonly string[]): BindValue[] {
  const values = input.filters.map((filter) => filter.value);
  if (searchIn.length > 0) values.push(searchPattern(input.search_term ?? ""));
  values.push(input.limit, input.offset);
  return values;
}
