import type { SuccessResponse } from "../../../../../core/http/index.ts";
import type { Caller } from "../../../../../data/operations/index.ts";
import { readUser } from "../../../administration/list-users.ts";
import { signInDetails } from "../../../administration/user-details.ts";
import { listSessions } from "../../../sessions/session-rows.ts";
import { findUser, isUserId, noSuchUser } from "../../../users/users-table.ts";
import type { AccountServices } from "../../account-services.ts";
import { type ReadCall, refuseQuery } from "./read-route.ts";

/** `GET /admin/users/{id}`: an account and its ways to sign in. Errors: `NOT_FOUND`. */
export async function getUser(call: ReadCall): Promise<SuccessResponse> {
  refuseQuery(call);
  const data = await userWithDetails(call.services, call.caller, call.parameter);
  return { message: "the user", data: JSON.stringify(data) };
}

/** Returns the row of an account, with `sign_in`. Errors: `NOT_FOUND`. */
export async function userWithDetails(services: AccountServices, caller: Caller, id: string) {
  if (!isUserId(id)) throw noSuchUser();
  const [user, sign_in] = await Promise.all([
    readUser(services, caller, id),
    signInDetails(services.database, id),
  ]);
  if (user === null) throw noSuchUser();
  return { ...user, sign_in };
}

/**
 * `GET /admin/users/{id}/sessions`: the sessions of an account, the last used one first. Errors: `NOT_FOUND`.
 */
export async function getUserSessions(call: ReadCall): Promise<SuccessResponse> {
  refuseQuery(call);
  const { database } = call.services;
  const user = await findUser(database, call.parameter);
  if (user === null) throw noSuchUser();
  const rows = await listSessions(database, user.id);
  const sessions = rows.map(({ id, ...row }) => ({ id, current: false, ...row }));
  return { message: "sessions", data: JSON.stringify({ sessions }) };
}
