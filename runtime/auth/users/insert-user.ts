import { guest } from "../../access/index.ts";
import type { Queryable } from "../../database/index.ts";
import { oncePer } from "../../memo/index.ts";
import { columnsOf, type Model } from "../../model/index.ts";
import { databaseProblem } from "../../operations/index.ts";
import {
  bindFields,
  type CheckedRecord,
  columnList,
  insertColumns,
  join,
  type Plan,
  plan,
  requestValue,
  sql,
} from "../../sql/index.ts";
import { first, type UserRow, userColumns } from "./users-table.ts";

/**
 * Stores a user: built-in columns and those of the app, as they are; what is left out gets its default. The password is
 * a hash already, the e-mail canonical. Null when the e-mail has an account; of any number at once one gets a row.
 * Errors: 400 `VALIDATION_ERROR` for another conflict, with `details.field`.
 */
export async function insertUser(
  connection: Queryable,
  users: Model,
  record: CheckedRecord,
): Promise<UserRow | null> {
  const { statement, bind } = planOf(users);
  const values = bindFields(users, record, insertColumns(users));
  try {
    return await first(connection, statement, ...bind(values, guest));
  } catch (error) {
    throw databaseProblem(error, users);
  }
}

const planOf = oncePer((users: Model): Plan => {
  const names = insertColumns(users);
  const columns = columnsOf(users);
  const values = names.map((name, index) => requestValue(index, columns.get(name)?.kind ?? "text"));
  // Of other unique columns the caller is told; only the e-mail has an error of its own.
  const text = `insert into ?? (?) values (?) on conflict (email) do nothing returning ${userColumns}`;
  return plan(sql(text, users.table, columnList(names), join(values, ", ")));
});
