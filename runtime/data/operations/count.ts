import type { Answer } from "../../core/http/index.ts";
import type { Grant } from "../../models/access/index.ts";
import { filtersShape, type Plan, type RowFilter, selectCount, selectExists } from "../sql/index.ts";
import { type CrudOperation, type OperationContext, planOf, readsOf, runPlan } from "./operation-context.ts";
import type { ListInput } from "./request-input.ts";

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

function readValue(
  call: OperationContext,
  grant: Grant,
  { filters }: ListInput,
  select: (rows: RowFilter) => Plan,
  answer: (value: string) => Answer,
): Promise<Answer> {
  const { model, services } = call;
  const plan = planOf(call, grant, filtersShape(filters), () =>
    select({ model, models: services.models, filters, scope: grant.scope, searchIn: [] }),
  );
  const values = filters.map((filter) => filter.value);
  return runPlan(call, readsOf(call), plan, values, null, { filters }).then((rows) =>
    answer(rows[0]?.[0] ?? ""),
  );
}
