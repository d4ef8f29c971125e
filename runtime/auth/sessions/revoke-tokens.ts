import type { Queryable } from "../../database/index.ts";
import type { ApiKeys } from "../api-keys/api-keys.ts";

const sessions = {
  name: "kirak_auth_revoke_sessions",
  text: "delete from auth_tokens where user_id = $1 and token_type in ('refresh', 'password_reset', 'web_auth')",
};
const all = {
  name: "kirak_auth_revoke_all",
  text: "delete from auth_tokens where user_id = $1 returning token_hash, token_type",
};

const pending = {
  name: "kirak_auth_revoke_web_auth",
  text: "delete from auth_tokens where user_id = $1 and token_type = 'web_auth'",
};

/** Ends all sessions of a user and voids pending reset links; API keys stay. The user's row is locked. */
export async function revokeSessions(connection: Queryable, userId: string): Promise<void> {
  await connection.run(sessions, [userId]);
}

/** Deletes every token of a user, API keys too, which the cache forgets at once. The user's row is locked. */
export async function revokeAllTokens(
  connection: Queryable,
  apiKeys: Pick<ApiKeys, "forget">,
  userId: string,
): Promise<void> {
  const rows = await connection.run(all, [userId]);
  await apiKeys.forget(rows.flatMap(([hash, type]) => (hash != null && type === "api_key" ? [hash] : [])));
}

/** Voids the tokens of social sign-ins that no page has redeemed yet. The user's row is locked. */
export async function revokeWebAuthTokens(connection: Queryable, userId: string): Promise<void> {
  await connection.run(pending, [userId]);
}
