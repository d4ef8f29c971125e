import { guestRole, isRoleOfMany } from "../../../vocabulary/role-names.ts";
import type { Queryable } from "../../database/index.ts";
import { invalid, refuseProblems } from "../../errors/index.ts";
import { storedForm } from "../../sql/index.ts";
import { recordProblems } from "../../validation/index.ts";
import { type PasswordRules, requireStrong } from "../passwords/password-rules.ts";
import type { Accounts } from "../service-accounts.ts";
import { insertUser } from "../users/insert-user.ts";
import { emailTaken } from "../users/user-errors.ts";
import type { UserRow } from "../users/users-table.ts";

/** An account that an operator makes. */
export interface NewStaff {
  /** Canonical. */
  readonly email: string;
  readonly password: string;
  readonly role: string;
  readonly first_name?: string;
  readonly last_name?: string;
}

/**
 * Makes an account that is verified and active, with any role; no hook runs. Errors: `VALIDATION_ERROR`, `WEAK_PASSWORD`,
 * `EMAIL_ALREADY_EXISTS`.
 */
export async function createAccount(
  connection: Queryable,
  { users, validators }: Pick<Accounts, "users" | "validators">,
  staff: NewStaff,
  { complexity, hash }: PasswordRules,
): Promise<UserRow> {
  const record = { ...staff, is_verified: true, is_active: true };
  requireRole(staff.role);
  refuseProblems(recordProblems(validators.create, record, "complete"));
  requireStrong(staff.password, "password", complexity);
  const user = await insertUser(connection, users, await storedForm(users, record, hash));
  if (user === null) throw emailTaken();
  return user;
}

/** Refuses what rules call callers and no account can be. */
function requireRole(role: string): void {
  if (role !== "" && role !== guestRole && !isRoleOfMany(role)) return;
  const why = isRoleOfMany(role) ? `: in access rules "${role}" stands for the roles of many` : "";
  throw invalid([{ field: "role", message: `is none that an account can have${why}` }]);
}
