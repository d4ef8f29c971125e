import type { CallerColumn } from "../../../../vocabulary/conditions/conditions.ts";
import { kinds } from "../kinds.ts";
import { forShare, Slot, sql } from "../sql.ts";
import { type ConditionRows, kindOf, type TypedSql } from "./condition-rows.ts";

/** A column of the caller's row in `users`: it depends on no row, so that PostgreSQL reads it once. NULL where there is none. */
export function callerColumnSql({ user }: CallerColumn, { models, joined }: ConditionRows): TypedSql {
  const users = models.get("users");
  if (users === undefined) throw new Error("there are no users");
  const id = new Slot({ from: "caller", claim: "user_id", kind: users.id, pattern: false });
  const lock = joined === "held" ? forShare : sql("");
  const kind = kindOf(users, user);
  // The cast makes it a value: a query alone in the list of IN would be a set, and an empty one where there is no row.
  const text = `(select caller$.?? from ?? as caller$ where caller$.id = ?::${users.id} ?)::${kinds[kind].sqlType}`;
  return { sql: sql(text, user, users.table, id, lock), kind };
}
