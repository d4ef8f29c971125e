import type { Database, Transaction } from "../../database/index.ts";
import { ServiceError } from "../../errors/index.ts";
import { inTransaction } from "../in-transaction.ts";
import { lockCaller, type SessionChecks } from "../sessions/fresh-session.ts";
import type { AccessClaims } from "../tokens/access-token.ts";
import { type Factor, findFactor } from "./mfa-table.ts";
import { consumeCode, type MfaServices, type UsedCode } from "./second-factor.ts";

/** What the second factor must be for a code to be looked at: set up and not yet enabled, or enabled. */
export type FactorState = "pending" | "enabled";

/** What proving a second factor takes. */
export interface FactorProof extends MfaServices, SessionChecks {
  readonly database: Database;
}

/**
 * Uses up a code of the caller's second factor and does `change` with it, or neither. The user's row is locked first.
 * Errors: those of `lockCaller`, 400 where the factor is in another state, `INVALID_MFA_CODE`.
 */
export function proveFactor(
  { database, ...services }: FactorProof,
  caller: AccessClaims,
  proof: { readonly state: FactorState; readonly code: unknown },
  change: (transaction: Transaction, userId: string) => Promise<void> = async () => {},
): Promise<UsedCode> {
  return inTransaction(database, async (transaction) => {
    const user = await lockCaller(transaction, services, caller);
    const factor = requireState(await findFactor(transaction, user.id, services.now()), proof.state);
    const used = await consumeCode(transaction, services, factor, proof.code);
    if (!(used instanceof ServiceError)) await change(transaction, user.id);
    return used;
  });
}

function requireState(factor: Factor | null, state: FactorState): Factor {
  if (factor === null) throw new ServiceError("VALIDATION_ERROR", "MFA is not set up.");
  if (state === "pending" && factor.isEnabled)
    throw new ServiceError("VALIDATION_ERROR", "MFA is enabled already.");
  if (state === "enabled" && !factor.isEnabled)
    throw new ServiceError("VALIDATION_ERROR", "MFA is not enabled: activate it first.");
  return factor;
}
