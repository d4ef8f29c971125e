import { isJsonObject, type JsonObject } from "../../../../vocabulary/json.ts";
import type { Transaction } from "../../../core/database/index.ts";
import type { AnyAuthHooks } from "../../../hooks/index.ts";
import type { Principal } from "../../../models/access/index.ts";
import { type AuthHookOrigin, authHook } from "../auth-hook.ts";
import { asPrincipal, type UserRow } from "./users-table.ts";

/** A change of an account, and the caller who makes it. */
export interface AccountChange {
  readonly user: UserRow;
  readonly changes: JsonObject;
  /** Default the account itself. */
  readonly principal?: Principal;
}

/**
 * Runs `write` between the hooks `before_update_account` and `after_update_account`. `write` gets the changes
 * of the before-hook and returns those that it wrote, which the after-hook gets. Returns their names. The
 * user's row must be locked.
 */
export async function updateAccount(
  transaction: Transaction,
  origin: AuthHookOrigin & { readonly services: { readonly hooks: AnyAuthHooks } },
  { user, changes, principal = asPrincipal(user) }: AccountChange,
  write: (changes: JsonObject) => Promise<JsonObject>,
): Promise<string[]> {
  const { before_update_account: before, after_update_account: after } = origin.services.hooks;
  const update = (some: JsonObject) => ({ user_id: Number(user.id), changes: { ...some } });
  const given = await authHook(origin, before, update(changes), transaction, principal);
  if (!isJsonObject(given) || !isJsonObject(given.changes))
    throw new Error('the hook before_update_account must return an object with "changes"');
  const written = await write(given.changes);
  const { email } = written;
  const isSelf = principal.user_id === user.id && typeof email === "string";
  await authHook(origin, after, update(written), transaction, isSelf ? { ...principal, email } : principal);
  return Object.keys(written).sort();
}
