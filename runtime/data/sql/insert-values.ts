import { leftToDatabase, type Model, requireColumn } from "../../models/index.ts";
import { insertColumns, intoSql, withTimes } from "./insert-statement.ts";
import type { BindValue } from "./kinds.ts";
import { bindFields, type CheckedRecord } from "./records.ts";
import { columnsOfTable, join, type Plan, plan, requestValue, type Sql, sql } from "./sql.ts";

/** Most values of a statement of PostgreSQL. */
const mostValues = 65_535;

/** A statement with its values. */
export interface FilledPlan {
  readonly plan: Plan;
  readonly values: readonly BindValue[];
}

/**
 * Inserts records of a model with defaults that are expressions: only VALUES can leave single fields to the database. Returns the
 * ids in the order of the records. The texts depend on the sent fields, so the statements are not prepared.
 */
export function insertValues(model: Model, records: readonly CheckedRecord[]): FilledPlan[] {
  const atOnce = Math.floor(mostValues / Math.max(1, insertColumns(model).length));
  const plans: FilledPlan[] = [];
  for (let at = 0; at < records.length; at += atOnce)
    plans.push(insertPart(model, records.slice(at, at + atOnce)));
  return plans;
}

function insertPart(model: Model, records: readonly CheckedRecord[]): FilledPlan {
  const names = insertColumns(model);
  const values: BindValue[] = [];
  const rows = records.map((record): Sql => {
    const left = new Set(leftToDatabase(model, record));
    const cells = names.map((name) => {
      if (left.has(name)) return sql("default");
      const at = values.push(...bindFields(model, record, [name])) - 1;
      return requestValue(at, requireColumn(model, name));
    });
    return sql("(?)", withTimes(model, cells));
  });
  const id = columnsOfTable(model, "t")("id");
  const made = plan(sql("? values ? returning ?", intoSql(model, names), join(rows, ", "), id));
  return { plan: { ...made, statement: { ...made.statement, name: null } }, values };
}
