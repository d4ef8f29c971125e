import type { Queryable } from "../../database/index.ts";
import { type OperationContext, runPlan } from "../../operations/index.ts";
import { type BindValue, pageTooLarge, plan, type Sql } from "../../sql/index.ts";

/**
 * Runs a statement that answers one JSON text; `shape` tells it apart from all others of the service. Errors: 400
 * `VALIDATION_ERROR` where the text is too long.
 */
export async function readText(
  call: OperationContext,
  connection: Queryable,
  shape: string,
  make: () => Sql,
  values: readonly BindValue[],
): Promise<string> {
  const statement = call.services.plans.of(shape, () => plan(make()));
  const [row] = await runPlan(call, connection, statement, values);
  const text = row?.[0];
  if (text == null) throw pageTooLarge();
  return text;
}
