import { removeFactor } from "../mfa/second-factor.ts";
import { type AccessRevocation, signOutEverywhere } from "../sessions/revocation.ts";
import type { UserAct } from "./user-act.ts";

/** What was removed. */
export interface ResetMfa {
  readonly mfa: boolean;
  /** The number of passkeys. */
  readonly passkeys: number;
}

const removePasskeys = {
  name: "kirak_auth_user_remove_passkeys",
  text: "delete from auth_passkeys where user_id = $1 returning id",
};

/**
 * Removes the second factor and all passkeys of an account, and ends its sessions. Errors:
 * `AUTH_UNAVAILABLE`.
 */
export async function resetMfa(
  services: AccessRevocation,
  { transaction, target: { id } }: UserAct,
): Promise<ResetMfa> {
  await signOutEverywhere(transaction, services, id);
  const mfa = await removeFactor(transaction, id);
  const passkeys = await transaction.run(removePasskeys, [id]);
  return { mfa, passkeys: passkeys.length };
}
