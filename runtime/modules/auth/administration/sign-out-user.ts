import { type AccountRevocation, revokeApiKeys, signOutEverywhere } from "../sessions/revocation.ts";
import type { UserAct } from "./user-act.ts";

/** Ends all sessions of an account, and deletes its API keys if asked. Errors: `AUTH_UNAVAILABLE`. */
export async function signOutUser(
  services: AccountRevocation,
  { transaction, target: { id } }: UserAct,
  withKeys: boolean,
): Promise<{ readonly ended_sessions: number; readonly deleted_api_keys: number }> {
  const ended_sessions = await signOutEverywhere(transaction, services, id);
  const deleted_api_keys = withKeys ? await revokeApiKeys(transaction, services.apiKeys, id) : 0;
  return { ended_sessions, deleted_api_keys };
}
