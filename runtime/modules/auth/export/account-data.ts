import type { Queryable } from "../../../core/database/index.ts";
import { listApiKeys } from "../api-keys/api-keys.ts";
import { listPasskeys } from "../passkeys/passkey-rows.ts";
import { listSessions } from "../sessions/session-rows.ts";
import { linkedProviders, type SocialSignIn } from "../social/index.ts";
import { accountUser } from "../users/account-user.ts";
import type { AppColumns } from "../users/app-columns.ts";
import type { UserRow } from "../users/users-table.ts";

export interface AccountDataServices {
  /** The columns that the app adds to `users`. */
  readonly columns: AppColumns;
  readonly social: Pick<SocialSignIn, "titleOf">;
}

/** The data of an account itself in its export: no secret, hash, key or public key. Times are ISO-8601. */
export async function accountData(connection: Queryable, services: AccountDataServices, user: UserRow) {
  const linked = await linkedProviders(connection, user.id);
  return {
    user: await accountUser(connection, services, user),
    sessions: await listSessions(connection, user.id),
    providers: linked.map(({ provider, ...row }) => ({
      provider,
      title: services.social.titleOf(provider),
      ...row,
    })),
    passkeys: await listPasskeys(connection, user.id),
    api_keys: (await listApiKeys(connection, user.id)) ?? [],
  };
}
