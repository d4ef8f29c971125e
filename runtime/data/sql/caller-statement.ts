import type { Model } from "../../models/index.ts";
import { columnList, columnsOfTable, type Plan, plan, Slot, sql } from "./sql.ts";

/**
 * Columns of the caller's row in `users`, which stays as it is until the transaction ends. Answers no row for a guest, and for a
 * caller without one. Values: none.
 */
export function selectCaller(users: Model, columns: readonly string[]): Plan {
  const id = new Slot({ from: "caller", claim: "user_id", kind: users.id, pattern: false });
  const list = columnList(columns, columnsOfTable("t"));
  return plan(sql(`select ? from ?? as t where t.id = ?::${users.id} for share`, list, users.table, id));
}
