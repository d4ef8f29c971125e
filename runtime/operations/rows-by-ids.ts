import type { RoleView } from "../access/index.ts";
import type { Queryable } from "../database/index.ts";
import { columnsOf } from "../model/index.ts";
import { pick, rowsJson, rowWriter, selectByIds } from "../sql/index.ts";
import { type OperationContext, runPlan } from "./operation-context.ts";

/** Rows as hooks and code get them. */
export type Rows = Record<string, unknown>[];

/** The rows with these ids as they are now, in the order of the list, as far as a view shows them; those that are gone are left out. */
export async function rowsByIds(
  call: OperationContext,
  connection: Queryable,
  view: RoleView,
  ids: readonly string[],
): Promise<Rows> {
  const { model, services } = call;
  if (ids.length === 0) return [];
  // Whoever may read nothing of a row is shown that it is there.
  const names = view.readable.length === 0 ? ["id"] : view.readable;
  const plan = services.plans.of(`${model.key} by ids ${view.id}`, () => selectByIds(model, names));
  const rows = await runPlan(call, connection, plan, [ids]);
  return JSON.parse(rowsJson(rows, rowWriter(pick(columnsOf(model), view.readable))));
}
