import type { Queryable } from "../../database/index.ts";
import { changedAt } from "./users-table.ts";

const forgetPassword = {
  name: "kirak_auth_user_forget_password",
  text: `update users set password = null, credentials_changed_at = ${changedAt("$2")}, updated_at = now()
where id = $1`,
};
const removals = ["auth_tokens", "auth_mfa", "auth_social"].map((table) => ({
  name: `kirak_auth_user_clear_${table}`,
  text: `delete from ${table} where user_id = $1`,
}));

/**
 * Takes away every way into an account whose e-mail nobody has verified: somebody else may have registered it, and waits
 * for the owner to come (decisions, part 7). The user's row is locked; `now` is in milliseconds.
 */
export async function clearCredentials(transaction: Queryable, userId: string, now: number): Promise<void> {
  await transaction.run(forgetPassword, [userId, now]);
  for (const removal of removals) await transaction.run(removal, [userId]);
}
