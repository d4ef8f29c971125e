import { recentUntil } from "../../../sessions/recent-sign-in.ts";
import { accountUser } from "../../../users/account-user.ts";
import { pendingChanges } from "../../../users/pending-changes.ts";
import { signInWays } from "../../../users/sign-in-ways.ts";
import { findUser, noSuchCaller } from "../../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";

/**
 * `GET /auth/account`: the caller's account, its ways to sign in, the changes that wait, and until when the
 * sign-in is recent. Errors: `NOT_FOUND`.
 */
export async function getAccount(_: null, { services, caller }: AccountRequest): Promise<AuthAnswer> {
  const { database, ways } = services;
  const user = await findUser(database, caller.sub);
  if (user === null) throw noSuchCaller();
  const recent = await recentUntil(database, services, caller);
  const data = {
    user: await accountUser(database, services, user),
    sign_in: await signInWays(database, ways, user),
    pending: await pendingChanges(database, user.id),
    recent_until: recent === null ? null : new Date(recent).toISOString(),
  };
  return { message: "the account", data };
}
