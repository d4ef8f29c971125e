import type { Queryable } from "#runtime/core/database/index";
import {
  columnsOfTable,
  every,
  idValues,
  type Models,
  plan,
  scopeSql,
  sql,
  tableSql,
} from "#runtime/data/sql/index";
import type { Principal } from "#runtime/models/access/index";
import type { Model } from "#runtime/models/index";
import type { Condition } from "#vocabulary/conditions/conditions";

/**
 * The ids, of those given, whose rows fulfil a condition for a caller, in order; with null all rows that exist. Soft-deleted rows count.
 * The SQL is that of a read of the service.
 */
export async function rowsThatHold(
  { connection, models }: { readonly connection: Queryable; readonly models: Models },
  model: Model,
  condition: Condition | null,
  caller: Principal,
  ids: readonly string[],
): Promise<string[]> {
  const row = columnsOfTable(model, "t");
  const scope =
    condition === null ? ({ kind: "all" } as const) : ({ kind: "some", when: condition } as const);
  const where = every([
    sql("? = any(?)", row("id"), idValues(0, model)),
    ...scopeSql(scope, model, models, row, "read"),
  ]);
  const { statement, bind } = plan(
    sql("select ? from ? as t where ? order by 1", row("id"), tableSql(model), where),
  );
  const found = await connection.run({ name: null, text: statement.text }, bind([ids], caller));
  return found.map(([id]) => id ?? "");
}
