import type { PageTotal } from "../../../vocabulary/operations.ts";
import type { SuccessResponse, Total } from "../../core/http/index.ts";
import type { Grant } from "../../models/access/index.ts";
import {
  explainRows,
  filtersShape,
  type Plan,
  type RowFilter,
  selectCount,
  selectCountUpTo,
  selectExists,
} from "../sql/index.ts";
import { type Listing, rowsOf } from "./listing.ts";
import { type CrudOperation, type OperationContext, planOf, readsOf, runPlan } from "./operation-context.ts";
import { type ListInput, rowValues } from "./request-input.ts";

/** The number of matching rows, as `{count}`. By default it has the rules of fetch: see `definePolicy`. */
export const count: CrudOperation<"count", ListInput> = {
  operation: "count",
  run: (call, grant, input) =>
    readValue(call, grant, input, selectCount, (value) => ({
      message: `${call.model.slug} counted`,
      data: `{"count":${value}}`,
    })),
};

/** Whether any row matches, as `{exists}`. By default it has the rules of fetch. */
export const exists: CrudOperation<"exists", ListInput> = {
  operation: "exists",
  run: (call, grant, input) =>
    readValue(call, grant, input, selectExists, (value) => ({
      message: `${call.model.slug} looked up`,
      data: `{"exists":${value === "t"}}`,
    })),
};

/** For an estimated total: the largest total that is counted exactly. */
const mostCounted = 10_000;

/**
 * The number of the rows of a list. An estimate beyond 10,000 rows is PostgreSQL's. If a rule or a before-hook
 * can limit the rows, it is 10,001, since an estimate would reveal rows out of reach.
 */
export async function readTotal(list: Listing, total: PageTotal): Promise<Total> {
  const { call, grant, sent, input, searchIn } = list;
  const rows = rowsOf(list);
  const shape = `${filtersShape(input.filters)} ${searchIn.length}`;
  const read = async (kind: string, make: () => Plan) => {
    const plan = planOf(call, grant, `${kind} ${shape}`, make);
    const [row] = await runPlan(call, readsOf(call), plan, rowValues(input, searchIn), null, input);
    return row?.[0] ?? "";
  };
  if (total !== "estimated") return { total: Number(await read("total", () => selectCount(rows))) };
  const counted = Number(await read("total up to", () => selectCountUpTo(rows, mostCounted + 1)));
  if (counted <= mostCounted) return { total: counted };
  const isLimited = grant.scope.kind === "some" || input !== sent;
  if (isLimited) return { total: counted, estimated: true };
  // The first node of the plan returns the rows.
  const [, estimate = "0"] = /"Plan Rows": (\d+)/.exec(await read("estimate", () => explainRows(rows))) ?? [];
  return { total: Math.max(counted, Number(estimate)), estimated: true };
}

function readValue(
  call: OperationContext,
  grant: Grant,
  { filters }: ListInput,
  select: (rows: RowFilter) => Plan,
  answer: (value: string) => SuccessResponse,
): Promise<SuccessResponse> {
  const { model, services } = call;
  const plan = planOf(call, grant, filtersShape(filters), () =>
    select({ model, models: services.models, filters, scope: grant.scope, searchIn: [] }),
  );
  const values = filters.map((filter) => filter.value);
  return runPlan(call, readsOf(call), plan, values, null, { filters }).then((rows) =>
    answer(rows[0]?.[0] ?? ""),
  );
}
