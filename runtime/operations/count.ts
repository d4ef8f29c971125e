import type { Grant } from "../access/index.ts";
import type { CrudOperation } from "../rest/route.ts";
import { type RowFilter, selectCount, selectExists } from "../sql/select-statement.ts";
import type { Plan } from "../sql/sql.ts";
import { filtersShape } from "../sql/where-sql.ts";
import type { ListInput } from "./input/list-input.ts";
import { type OperationContext, planOf, runPlan } from "./operation-context.ts";

/** The number of matching rows, as `{count}`. */
export const count: CrudOperation<"count", ListInput> = {
  operation: "count",
  async run(call, grant, input) {
    const value = await readValue(call, grant, input, selectCount);
    return { message: `${call.model.slug} counted`, data: `{"count":${value}}` };
  },
};

/** Whether any row matches, as `{exists}`. */
export const exists: CrudOperation<"exists", ListInput> = {
  operation: "exists",
  async run(call, grant, input) {
    const value = await readValue(call, grant, input, selectExists);
    return { message: `${call.model.slug} looked up`, data: `{"exists":${value === "t"}}` };
  },
};

async function readValue(
  call: OperationContext,
  grant: Grant,
  { filters }: ListInput,
  select: (reach: RowFilter) => Plan,
): Promise<string> {
  const { model, services } = call;
  const plan = planOf(call, grant, filtersShape(filters), () =>
    select({ model, models: services.models, filters, scope: grant.scope, searchIn: [] }),
  );
  const rows = await runPlan(
    call,
    call.reads(),
    plan,
    filters.map((filter) => filter.value),
  );
  return rows[0]?.[0] ?? "";
}
