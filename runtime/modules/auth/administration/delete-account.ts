import type { Queryable, Transaction } from "../../../core/database/index.ts";
import type { AnyAuthHooks } from "../../../hooks/index.ts";
import type { Principal } from "../../../models/access/index.ts";
import type { Model } from "../../../models/index.ts";
import { type AuthHookOrigin, authHook } from "../auth-hook.ts";
import {
  type AccountRevocation,
  removeCodes,
  revokeAccessTokens,
  revokeAllTokens,
} from "../sessions/revocation.ts";
import { currentUser, type UserRow } from "../users/users-table.ts";
import { accountInUse } from "./account-in-use.ts";
import { requireAdministratorWithout } from "./last-administrator.ts";
import { removeUserFiles } from "./user-files-job.ts";

export interface AccountRemoval extends AccountRevocation {
  readonly hooks: AnyAuthHooks;
  /** All models, for the names of relations. */
  readonly models: readonly Model[];
  /** Whether users have folders of files, which a job removes. */
  readonly hasUserFiles: boolean;
}

const remove = { name: "kirak_auth_user_delete", text: "delete from users where id = $1" };

/**
 * Deletes an account with its credentials, and the rows of the app as their foreign keys say. Revokes all of
 * its tokens. `principal` acts. The user's row must be locked. Errors: `LAST_ADMINISTRATOR`,
 * `ACCOUNT_IN_USE`, `AUTH_UNAVAILABLE`, and those of hooks.
 */
export async function deleteAccount(
  transaction: Transaction,
  services: AccountRemoval,
  origin: AuthHookOrigin,
  user: UserRow,
  principal: Principal,
): Promise<void> {
  const { hooks, apiKeys, models, hasUserFiles } = services;
  await requireAdministratorWithout(transaction, user, null);
  const user_id = Number(user.id);
  const shown = { ...currentUser(user), phone_number: user.phoneNumber };
  await authHook(origin, hooks.before_delete_account, { user_id, user: shown }, transaction, principal);
  // First, so that a blacklist that cannot be written changes nothing.
  await revokeAccessTokens(transaction, services, user.id);
  await revokeAllTokens(transaction, apiKeys, user.id);
  await deleteRows(transaction, user, models);
  if (hasUserFiles) await removeUserFiles(transaction, origin.trace, user.id);
  await authHook(origin, hooks.after_delete_account, { user_id }, transaction, principal);
}

async function deleteRows(transaction: Queryable, user: UserRow, models: readonly Model[]): Promise<void> {
  // A code that is on its way would sign the user in to a new account.
  await transaction.run(removeCodes, [user.id]);
  await transaction.run(remove, [user.id]).catch((error: unknown) => {
    throw accountInUse(error, models);
  });
}
