import { ServiceError } from "../../../core/errors/index.ts";
import { isAdministrator } from "../../../models/access/index.ts";
import type { UserRow } from "../users/users-table.ts";

/** Roles that only superadmins administer and give. */
const reserved: readonly string[] = ["system", "superadmin"];

/**
 * Refuses a caller who is not an administrator any more, also if the token has another role: 403
 * `PERMISSION_DENIED`.
 */
export function requireAdministrator({ role }: UserRow): void {
  if (!isAdministrator(role)) throw new ServiceError("PERMISSION_DENIED");
}

/** Refuses an act on an account of a higher rank, and on the own account: 403 `PERMISSION_DENIED`. */
export function requireRankOver(actor: UserRow, target: UserRow): void {
  if (actor.id === target.id)
    throw new ServiceError(
      "PERMISSION_DENIED",
      "Administrators change their own account by the routes of the own account.",
    );
  requireRankFor(actor, target.role);
}

/** Refuses to give a role above the own rank: 403 `PERMISSION_DENIED`. */
export function requireRankFor(actor: UserRow, role: string): void {
  if (reserved.includes(role) && actor.role !== "superadmin")
    throw new ServiceError(
      "PERMISSION_DENIED",
      `Only superadmins administer accounts with the role ${role}.`,
    );
}
