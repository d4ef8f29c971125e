import { ServiceError } from "../../core/errors/index.ts";
import { type AppCalls, appContext, type CodeContext } from "../../hooks/context/index.ts";
import { type AnyTypes, type Hook, type HookScope, type ListQuery, runHook } from "../../hooks/index.ts";
import type { Model } from "../../models/index.ts";
import { type BindValue, searchFields } from "../sql/index.ts";
import { fromHook, readAppQuery } from "./app-input.ts";
import { writeWhere } from "./filters.ts";
import type { ListOperation } from "./listing.ts";
import { afterHook } from "./mutation.ts";
import { type CrudOperation, hookOriginOf, type OperationContext } from "./operation-context.ts";
import { readPage } from "./pages.ts";
import { allOf, type ListInput, rowValues } from "./request-input.ts";

type Query = ListQuery<AnyTypes>;
type Rows = Record<string, unknown>[];

function listOperation<Op extends ListOperation>(operation: Op): CrudOperation<Op, ListInput> {
  return {
    operation,
    run: (call, grant, input) =>
      readWithHooks(call, operation, input, (wanted, searchIn) =>
        readPage({ call, grant, operation, sent: input, input: wanted, searchIn }),
      ),
  };
}

export const fetch = listOperation("fetch");
export const search = listOperation("search");

/**
 * Runs the before-hook, `read` and the after-hook. `read` gets the input after the before-hook and the fields
 * to search, and returns rows as JSON text. `shape` makes the response from the rows after the after-hook.
 */
export function readWithHooks<Page extends { readonly data: string }>(
  call: OperationContext,
  operation: ListOperation,
  input: ListInput,
  read: (input: ListInput, searchIn: readonly string[]) => Promise<Page>,
  shape?: (rows: Rows) => unknown,
): Promise<Page> {
  const { [`before_${operation}` as const]: before, [`after_${operation}` as const]: after } =
    call.entry.hooks;
  return before === undefined && after === undefined
    ? read(input, searchedFields(call, operation, input))
    : readBetween({ before, after }, call, operation, input, read, shape);
}

interface ListHooks {
  readonly before: Hook<Query> | undefined;
  readonly after: Hook<Rows> | undefined;
}

async function readBetween<Page extends { readonly data: string }>(
  { before, after }: ListHooks,
  call: OperationContext,
  operation: ListOperation,
  input: ListInput,
  read: (input: ListInput, searchIn: readonly string[]) => Promise<Page>,
  shape?: (rows: Rows) => unknown,
): Promise<Page> {
  await call.ensureNotRevoked?.();
  const { services, model } = call;
  const { transaction = null } = services;
  const context = (hook: string, calls: AppCalls) =>
    appContext({ origin: hookOriginOf(services, call, model.key, hook), transaction }, calls);
  const scope = { trace: call.trace, errors: services.modules.errors, context };
  const wanted = before === undefined ? input : await applyBeforeHook(model, operation, before, input, scope);
  const page = await read(wanted, searchedFields(call, operation, wanted));
  return afterHook(after, page, scope, shape);
}

/** The caller's gates do not apply to fields that the hook adds. */
async function applyBeforeHook(
  model: Model,
  operation: ListOperation,
  hook: Hook<Query>,
  input: ListInput,
  scope: HookScope<CodeContext>,
): Promise<ListInput> {
  const query = await runHook(hook, queryOf(input), scope);
  return fromHook(hook, query, (given, problems) => {
    const wanted = withCursor(readAppQuery(model, operation, given, problems), input);
    const stays = input.all === true && given["limit"] === undefined && given["page"] === undefined;
    return stays ? allOf(model, wanted) : wanted;
  });
}

/** Hooks do not see the cursor and the kind of total. With a cursor, their page and offset have no effect. */
function withCursor(wanted: ListInput, { cursor, total }: ListInput): ListInput {
  if (cursor === null) return { ...wanted, total };
  return { ...wanted, page: null, offset: 0, paginated: false, cursor, total };
}

function queryOf(input: ListInput): Query {
  return {
    where: writeWhere(input.filters),
    ...(input.all !== true && { limit: input.limit }),
    ...(input.page !== null && { page: input.page }),
    ...(input.page === null && input.paginated && { offset: input.offset }),
    ...(input.order_by !== null && { order_by: input.order_by }),
    order: input.descending ? "DESC" : "ASC",
    ...(input.select_fields !== null && { select_fields: input.select_fields }),
    ...(input.search_term !== null && { search_term: input.search_term }),
  };
}

/** The fields to search. Errors: 403 without any. A search without a term is a fetch. */
export function searchedFields(
  { model, view }: Pick<OperationContext, "model" | "view">,
  operation: ListOperation,
  input: ListInput,
): readonly string[] {
  if (operation !== "search") return [];
  const fields = searchFields(model, view.unreadable);
  if (fields.length === 0)
    throw new ServiceError("PERMISSION_DENIED", "There is no searchable field for your role.");
  return input.search_term === null ? [] : fields;
}

export function pageValues(input: ListInput, searchIn: readonly string[]): BindValue[] {
  return [...rowValues(input, searchIn), input.limit, input.offset];
}
