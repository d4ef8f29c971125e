import type { Grant } from "../access/index.ts";
import type { TextRow } from "../database/index.ts";
import type { Answer, Pagination } from "../http/index.ts";
import { columnsOf } from "../model/index.ts";
import { filtersShape, pick, rowsJson, rowWriter, selectPage } from "../sql/index.ts";
import type { ListInput } from "./input/list-input.ts";
import { type CrudOperation, type OperationContext, planOf, readsOf, runPlan } from "./operation-context.ts";
import { type ListOperation, pageValues, readWithHooks } from "./read-with-hooks.ts";

/** Rows of a model, a page at a time (contract: "CRUD", fetch and search). */
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

async function readPage(
  call: OperationContext,
  grant: Grant,
  operation: ListOperation,
  input: ListInput,
  searchIn: readonly string[],
): Promise<Answer> {
  const { model, view, services } = call;
  const names = input.select_fields ?? view.readable;
  const orderBy = input.order_by ?? "id";
  const shape = `${filtersShape(input.filters)} ${orderBy} ${input.descending} ${input.paginated} ${searchIn.length} ${input.select_fields?.join() ?? ""}`;
  const plan = planOf(call, grant, shape, () =>
    selectPage({
      model,
      models: services.models,
      filters: input.filters,
      scope: grant.scope,
      searchIn,
      columns: names,
      orderBy,
      descending: input.descending,
      total: input.paginated,
    }),
  );
  const rows = await runPlan(call, readsOf(call), plan, pageValues(input, searchIn));
  return answer(operation, input, names, rows, call);
}

function answer(
  operation: string,
  input: ListInput,
  names: readonly string[],
  rows: TextRow[],
  call: OperationContext,
): Answer {
  const columns = pick(columnsOf(call.model), names);
  const message = `${call.model.slug} ${operation} succeeded`;
  if (!input.paginated) return { message, data: rowsJson(rows, rowWriter(columns)) };
  const found = rows.filter((row) => row[1] !== null);
  return {
    message,
    data: rowsJson(found, rowWriter(columns, 2)),
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
