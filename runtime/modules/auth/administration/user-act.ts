import type { Logger } from "pino";
import type { Database, Transaction } from "../../../core/database/index.ts";
import type { Principal } from "../../../models/access/index.ts";
import type { AuthHookOrigin } from "../auth-hook.ts";
import type { AccountEventName, AccountEvents } from "../events/account-events.ts";
import type { AccountNotices } from "../events/account-notices.ts";
import { lockWithCaller } from "../sessions/caller.ts";
import { type RecentChecks, requireRecent } from "../sessions/recent-sign-in.ts";
import type { AccessClaims } from "../tokens/access-token.ts";
import { sessionIdOf } from "../tokens/token-ids.ts";
import { asPrincipal, lockUser, noSuchUser, type UserRow } from "../users/users-table.ts";
import { requireAdministrator, requireRankFor, requireRankOver } from "./ranks.ts";

/** Who acts on accounts of others: an administrator by a route, or an operator by a command. */
export interface StaffOrigin extends AuthHookOrigin {
  readonly log: Logger;
  /** The claims of the administrator; null for a command. */
  readonly caller: AccessClaims | null;
}

/** An act on an account, whose row is locked. */
export interface UserAct {
  readonly transaction: Transaction;
  readonly origin: StaffOrigin;
  readonly target: UserRow;
  readonly principal: Principal;
  /** Refuses a role that the actor cannot give. */
  readonly requireRankFor: (role: string) => void;
}

export interface StaffServices extends RecentChecks {
  readonly database: Database;
  readonly events: AccountEvents;
  readonly notices: AccountNotices;
}

/** Commands act without an account. */
const system: Principal = Object.freeze({ user_id: null, role: "system", email: null });

/**
 * Runs an act on an account in one transaction, with both rows locked. Returns the row from before, and the
 * result. Errors of a route: those of `lockRecentCaller`, `NOT_FOUND`, and `PERMISSION_DENIED` for the own
 * account and for a higher rank. A command only has `NOT_FOUND`.
 */
export function actOnUser<Result>(
  services: StaffServices,
  origin: StaffOrigin,
  targetId: string,
  work: (act: UserAct) => Promise<Result>,
): Promise<{ readonly target: UserRow; readonly result: Result }> {
  return services.database.transaction(async (transaction) => {
    const { actor, target } = await lockBoth(transaction, services, origin, targetId);
    const principal = actor === null ? system : asPrincipal(actor);
    const requireRank = (role: string) => {
      if (actor !== null) requireRankFor(actor, role);
    };
    const result = await work({ transaction, origin, target, principal, requireRankFor: requireRank });
    return { target, result };
  });
}

async function lockBoth(
  transaction: Transaction,
  services: StaffServices,
  { caller }: StaffOrigin,
  targetId: string,
): Promise<{ readonly actor: UserRow | null; readonly target: UserRow }> {
  if (caller === null) {
    const target = await lockUser(transaction, targetId);
    if (target === null) throw noSuchUser();
    return { actor: null, target };
  }
  const { own, other } = await lockWithCaller(transaction, services, caller, targetId);
  await requireRecent(transaction, services, caller, own);
  requireAdministrator(own);
  if (other === null) throw noSuchUser();
  requireRankOver(own, other);
  return { actor: own, target: other };
}

/** Records an act on an account of another user. Call it after the commit. */
export function recordStaffAct(
  { events }: Pick<StaffServices, "events">,
  { caller, address, log }: StaffOrigin,
  event: AccountEventName,
  userId: string,
  changes: readonly string[] = [],
): void {
  const actor =
    caller === null
      ? ({ actor: "command", actor_id: null, session_id: null, address: null } as const)
      : ({
          actor: "admin",
          actor_id: caller.sub,
          session_id: sessionIdOf(caller.jti),
          address: address ?? null,
        } as const);
  events.record({ event, user_id: userId, ...actor, changes }, log);
}
