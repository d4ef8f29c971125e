import type { Scope } from "../../models/access/index.ts";
import type { Model } from "../../models/index.ts";
import type { Models } from "./conditions/condition-rows.ts";
import { insertColumns } from "./insert-statement.ts";
import { type ColumnSql, columnsOfTable, requestList, type Sql, sql, timeOfStatement } from "./sql.ts";
import { scopeSql, visibilitySql } from "./where-sql.ts";

/** What makes the text of an upsert. */
export interface UpsertShape {
  readonly model: Model;
  readonly models: Models;
  /** The unique key that decides between insert and update. */
  readonly key: readonly string[];
  /** The fields that the caller sent: an update sets these alone. */
  readonly sent: readonly string[];
  readonly insert: Scope;
  readonly update: Scope;
  /** The row was locked by `lockForUpsert`; what it answered follows the other values, and no other row is updated. */
  readonly locked: boolean;
}

/** The row that is there. */
export const table = columnsOfTable("t");
/** The row that was sent. */
export const record = columnsOfTable("v");

/** That the row is the one that was locked, where one was. */
export function pinned({ model, locked }: UpsertShape): Sql[] {
  return locked ? [sql("? = any(?)", table("id"), requestList(insertColumns(model).length, model.id))] : [];
}

/** That the row has the key of the record. */
export function sameKey(key: readonly string[]): Sql[] {
  return key.map((name) => sql("? = (select ? from v$ as v)", table(name), record(name)));
}

/** The row is live, and in the scope of updates before and after. */
export function updatable(shape: UpsertShape): Sql[] {
  const { model, models, update } = shape;
  const admitted = statesOf(shape).flatMap((state) =>
    scopeSql(update, model, models, state, "held", state !== table),
  );
  return [...visibilitySql(model, "live", table), ...pinned(shape), ...admitted];
}

/** The row as it is, and as an update leaves it. */
export function statesOf({ sent }: UpsertShape): ColumnSql[] {
  const set = new Set(sent);
  const after: ColumnSql = (name) => {
    if (set.has(name)) return sql("excluded.??", name);
    return name === "updated_at" ? timeOfStatement : table(name);
  };
  return [table, after];
}
