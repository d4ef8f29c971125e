import type { TextRow } from "../../core/database/index.ts";
import { ServiceError } from "../../core/errors/index.ts";
import type { Answer, Pagination } from "../../core/http/index.ts";
import { type AppCalls, appContext, type CodeContext } from "../../hooks/context/index.ts";
import { type AnyTypes, type Hook, type HookScope, type ListQuery, runHook } from "../../hooks/index.ts";
import type { Grant } from "../../models/access/index.ts";
import type { Model } from "../../models/index.ts";
import {
  type BindValue,
  filtersShape,
  namesWithId,
  pageShape,
  type RowWriter,
  rowsJson,
  rowWriter,
  searchFields,
  searchPattern,
  selectPage,
  writerOf,
} from "../sql/index.ts";
import { fromHook, readAppQuery } from "./app-input.ts";
import { writeWhere } from "./filters.ts";
import { afterHook } from "./mutation.ts";
import {
  type CrudOperation,
  hookOriginOf,
  type OperationContext,
  planOf,
  readsOf,
  runPlan,
} from "./operation-context.ts";
import { allOf, type ListInput } from "./request-input.ts";

export type ListOperation = "fetch" | "search";

type Query = ListQuery<AnyTypes>;
type Rows = Record<string, unknown>[];

function listOperation<Op extends ListOperation>(operation: Op): CrudOperation<Op, ListInput> {
  return {
    operation,
    run: (call, grant, input) =>
      readWithHooks(call, operation, input, (wanted, searchIn) =>
        readPage(call, grant, operation, wanted, searchIn),
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
    const wanted = readAppQuery(model, operation, given, problems);
    const stays = input.all === true && given["limit"] === undefined && given["page"] === undefined;
    return stays ? allOf(model, wanted) : wanted;
  });
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

export function pageValues(input: ListInput, searchIn: readonly string[]): BindValue[] {
  const values = input.filters.map((filter) => filter.value);
  if (searchIn.length > 0) values.push(searchPattern(input.search_term ?? ""));
  values.push(input.limit, input.offset);
  return values;
}

function readPage(
  call: OperationContext,
  grant: Grant,
  operation: ListOperation,
  input: ListInput,
  searchIn: readonly string[],
): Promise<Answer> {
  const { model, view, services } = call;
  const names = input.select_fields ?? view.readable;
  const asked = namesWithId(model, names);
  const orderBy = input.order_by ?? "id";
  const shape = `${filtersShape(input.filters)} ${orderBy} ${input.descending} ${input.paginated} ${pageShape(input)} ${searchIn.length} ${input.select_fields?.join() ?? ""}`;
  const plan = planOf(call, grant, shape, () =>
    selectPage({
      model,
      models: services.models,
      filters: input.filters,
      scope: grant.scope,
      searchIn,
      columns: asked,
      orderBy,
      descending: input.descending,
      limit: input.limit,
      offset: input.offset,
      total: input.paginated,
    }),
  );
  return runPlan(call, readsOf(call), plan, pageValues(input, searchIn), null, input).then((rows) => {
    if (input.all === true && rows.length > model.maxLimit) throw tooMany(model);
    // Without an after-hook, the text of the rows is the response.
    if (call.entry.hooks[`after_${operation}`] === undefined) call.trace.begin("serialize");
    const first = input.paginated ? 2 : 0;
    const write = writerOf(plan, () => rowWriter(model, names, first, first + asked.indexOf("id")));
    return answer(operation, input, rows, write, call);
  });
}

/** The caller asked for all rows and would mistake a part for all. */
function tooMany({ key, maxLimit }: Model): ServiceError {
  const message = `A fetch of all ${key} found more than ${maxLimit}, the max_limit of the model: it needs a limit, or a filter.`;
  return new ServiceError("INTERNAL_ERROR", message);
}

function answer(
  operation: string,
  input: ListInput,
  rows: TextRow[],
  write: RowWriter,
  call: OperationContext,
): Answer {
  const message = `${call.model.slug} ${operation} succeeded`;
  if (!input.paginated) return { message, data: rowsJson(rows, write) };
  const found = rows.filter((row) => row[1] !== null);
  return {
    message,
    data: rowsJson(found, write),
    pagination: paginationOf(input, Number(rows[0]?.[0] ?? 0)),
  };
}

function paginationOf({ limit, offset }: ListInput, total: number): Pagination {
  return {
    limit,
    page: Math.floor(offset / limit) + 1,
    offset,
    total,
    total_pages: Math.ceil(total / limit),
    has_more: offset + limit < total,
  };
}
