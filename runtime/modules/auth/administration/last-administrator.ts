import type { Queryable, Statement } from "../../../core/database/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import type { UserRow } from "../users/users-table.ts";

/** The roles of which one account must remain. An account with the role `system` does not count. */
const admin = "admin";
const superadmin = "superadmin";

/**
 * Ends with the transaction. Locked after the row of the user, so no change waits for a row while it holds
 * this.
 */
const takeTurn = {
  name: "kirak_auth_last_administrator_lock",
  text: "select pg_advisory_xact_lock(hashtextextended('kirak_auth_last_administrator', 0))",
};

/** A separate statement, which sees the changes that committed while this one waited for its turn. */
const others: Statement = {
  name: "kirak_auth_last_administrator_others",
  text: `select exists (select from users where id <> $1 and is_active and role = '${superadmin}'),
  exists (select from users where id <> $1 and is_active and role in ('${admin}', '${superadmin}'))`,
  reads: true,
};

/**
 * Refuses a change after which no active administrator, or no active superadmin, would remain. Changes that
 * take an administrator away take turns. `after` is null for a deletion. The user's row must be locked.
 * Errors: 409 `LAST_ADMINISTRATOR`.
 */
export async function requireAdministratorWithout(
  transaction: Queryable,
  user: UserRow,
  after: Pick<UserRow, "role" | "isActive"> | null,
): Promise<void> {
  const rank = rankOf(user);
  if (rank === 0 || rankOf(after) >= rank) return;
  await transaction.run(takeTurn, []);
  const [[hasSuperadmin, hasAdministrator] = []] = await transaction.run(others, [user.id]);
  const remains = rank === 2 ? hasSuperadmin : hasAdministrator;
  if (remains !== "t") throw new ServiceError("LAST_ADMINISTRATOR");
}

function rankOf(user: Pick<UserRow, "role" | "isActive"> | null): 0 | 1 | 2 {
  if (user === null || !user.isActive) return 0;
  return user.role === superadmin ? 2 : user.role === admin ? 1 : 0;
}
