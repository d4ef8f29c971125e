import type { JsonObject } from "../../../../vocabulary/json.ts";
import type { Queryable } from "../../../core/database/index.ts";
import type { AppColumns } from "./app-columns.ts";
import { currentUser, type UserRow } from "./users-table.ts";

/** A user as the owner of the account sees it, with the columns of the app that the owner reads. */
export async function accountUser(
  connection: Queryable,
  { columns }: { readonly columns: AppColumns },
  user: UserRow,
): Promise<JsonObject> {
  const names = columns.readBy({ role: user.role, isOwner: true });
  const added = await columns.valuesOf(connection, user.id, names);
  // The built-in values win: an app can have a column of the name `user_id`.
  return { ...added, ...currentUser(user), phone_number: user.phoneNumber };
}
