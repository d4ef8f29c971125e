import type { Scope } from "../../models/access/index.ts";
import type { Model } from "../../models/index.ts";
import type { Models } from "./conditions/condition-rows.ts";
import { columnList, columnsOfTable, every, type Plan, plan, requestList, requestValue, sql } from "./sql.ts";
import { type CountedTarget, countedSql, valuesOf } from "./target.ts";
import { scopeSql } from "./where-sql.ts";

const row = columnsOfTable("t");

/** Rows by a list of ids, in its order, deleted ones too; an id without a row is left out. Value: the list. */
export function selectByIds(model: Model, columns: readonly string[]): Plan {
  return plan(
    sql(
      `select ? from unnest(?) with ordinality as sent (wanted, position)
      join ?? as t on t.id = sent.wanted order by sent.position`,
      columnList(columns, row),
      requestList(0, model.id),
      model.table,
    ),
  );
}

/** The same, of those alone that a scope admits: `[id, …columns]`. */
export function selectOpenByIds(
  model: Model,
  models: Models,
  scope: Scope,
  columns: readonly string[],
): Plan {
  return plan(
    sql(
      "select ? from ?? as t where ?",
      columnList(["id", ...columns], row),
      model.table,
      every([sql("t.id = any(?)", requestList(0, model.id)), ...scopeSql(scope, model, models, row, "read")]),
    ),
  );
}

/** Rows that a write is about to touch. */
export interface TargetRows extends CountedTarget {
  readonly columns: readonly string[];
}

/**
 * Locks the rows of a target that count, in the order of their ids, and reads them: `[id, allowed, …columns]`, allowed being whether the scope
 * admits the row as it is. Values: those of the target; then how many rows at most.
 */
export function lockRows(shape: TargetRows): Plan {
  const { model, models, target, scope, columns } = shape;
  return plan(
    sql(
      "select t.id, coalesce(?, false), ? from ?? as t where ? order by t.id limit ? for update of t",
      every(scopeSql(scope, model, models, row, "read")),
      columnList(columns, row),
      model.table,
      every(countedSql(shape, row)),
      requestValue(valuesOf(target), "bigint"),
    ),
  );
}
