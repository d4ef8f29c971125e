import type { AccountBody } from "../../../../../../vocabulary/accounts/account-bodies.ts";
import { shareOf } from "../../../../../models/access/index.ts";
import { lockCaller } from "../../../sessions/caller.ts";
import { updateAccount } from "../../../users/account-update.ts";
import { accountUser } from "../../../users/account-user.ts";
import { findUser, noSuchCaller } from "../../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";
import { recordOwnAct } from "../../record-event.ts";

/**
 * `PATCH /auth/me`: changes names, and columns of the app that the owner of the account writes. Answers the
 * user of `GET /auth/account`. Errors: `VALIDATION_ERROR`, and those of `lockCaller`.
 */
export async function patchMe(sent: AccountBody<"patchMe">, call: AccountRequest): Promise<AuthAnswer> {
  const { services, caller, address } = call;
  const { columns, database } = services;
  const { first_name, last_name } = sent;
  const names = {
    ...(first_name !== undefined && { first_name }),
    ...(last_name !== undefined && { last_name }),
  };
  const changes = { ...columns.valuesIn(sent), ...names };
  const share = shareOf({ user_id: caller.sub }, address);
  const { changed, user } = await database.transaction(async (transaction) => {
    const user = await lockCaller(transaction, services, caller);
    const changed = await updateAccount(transaction, call, { user, changes }, (given) =>
      columns.write(transaction, user.id, given, share),
    );
    const row = await findUser(transaction, user.id);
    if (row === null) throw noSuchCaller();
    return { changed, user: await accountUser(transaction, services, row) };
  });
  if (changed.length > 0) recordOwnAct(call, "profile.updated", changed);
  return { message: "profile changed", data: user };
}
