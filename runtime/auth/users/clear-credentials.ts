import type { Connection } from "../../database/index.ts";

const statements = [
  "UPDATE users SET password = NULL, updated_at = now() WHERE id = $1",
  "DELETE FROM auth_tokens WHERE user_id = $1",
  "DELETE FROM auth_mfa WHERE user_id = $1",
  "DELETE FROM auth_social WHERE user_id = $1",
].map((text, index) => ({ name: `kirak_auth_user_clear_${index + 1}`, text }));

/**
 * Takes away every way into an account whose e-mail nobody has verified: somebody else may have registered it, and waits
 * for the owner to come (decisions, part 7). The user's row is locked.
 */
export async function clearCredentials(transaction: Connection, userId: string): Promise<void> {
  for (const statement of statements) await transaction.run(statement, [userId]);
}
