import type { Queryable } from "../../database/index.ts";
import { type AccountRevocation, revokeAccessTokens } from "./revoke-access-tokens.ts";
import { revokeAllTokens } from "./revoke-tokens.ts";

const forgetPassword = {
  name: "kirak_auth_user_forget_password",
  text: "update users set password = null, updated_at = now() where id = $1",
};
const removals = ["auth_mfa", "auth_social"].map((table) => ({
  name: `kirak_auth_user_clear_${table}`,
  text: `delete from ${table} where user_id = $1`,
}));

/**
 * Takes away every way into an account that was never verified: a stranger may have registered it, and wait for the owner. The user's
 * row is locked. Errors: `AUTH_UNAVAILABLE`.
 */
export async function clearCredentials(
  transaction: Queryable,
  revocation: AccountRevocation,
  userId: string,
): Promise<void> {
  await revokeAccessTokens(transaction, revocation, userId);
  await revokeAllTokens(transaction, revocation.apiKeys, userId);
  for (const statement of [forgetPassword, ...removals]) await transaction.run(statement, [userId]);
}
