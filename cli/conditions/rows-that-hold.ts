import type { Queryable } from "#runtime/core/database/index";
import {
  columnsOfTable,
  every,
  idValues,
  type Models,
  plan,
  requestList,
  type Sql,
  scopeSql,
  sql,
  tableSql,
} from "#runtime/data/sql/index";
import type { Principal } from "#runtime/models/access/index";
import { hasId, type Model } from "#runtime/models/index";
import type { Condition } from "#vocabulary/conditions/conditions";

/** The id of a row of the table `t` as text. A row without an id has the text of all its values. */
export function rowIdSql(model: Model): Sql {
  return hasId(model) ? sql("?::text", columnsOfTable(model, "t")("id")) : sql("(t.*)::text");
}

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
    hasId(model)
      ? sql("? = any(?)", row("id"), idValues(0, model))
      : sql("? = any(?)", rowIdSql(model), requestList(0, "text")),
    ...scopeSql(scope, model, models, row, "read"),
  ]);
  const order = hasId(model) ? row("id") : rowIdSql(model);
  const { statement, bind } = plan(
    sql("select ? from ? as t where ? order by ?", rowIdSql(model), tableSql(model), where, order),
  );
  const found = await connection.run({ name: null, text: statement.text }, bind([ids], caller));
  return found.map(([id]) => id ?? "");
}
