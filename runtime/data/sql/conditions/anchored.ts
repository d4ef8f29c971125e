import { policyValue, Slot, type Sql, sql } from "../sql.ts";
import type { ConditionRows, RowAt } from "./condition-rows.ts";

/** What a row that is locked before a write is called in the list of those. */
export function anchorName({ model, row }: RowAt): Sql {
  return sql("?::text || ?", policyValue(`${model.key}:`), row("id"));
}

/**
 * Whether a row was locked before this statement. One that came to be, or came to lead here, after the locks were taken was not,
 * and others may join it yet. Null for the row whose rule it is, which is locked by itself.
 */
export function anchoredSql(start: RowAt, { itself }: ConditionRows): Sql | null {
  if (start.row === itself.row) return null;
  return sql("(?) = any(?::text[])", anchorName(start), new Slot({ from: "anchors" }));
}
