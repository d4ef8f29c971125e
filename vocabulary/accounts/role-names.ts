/** What rules and gates call every caller, guests too. */
export const everyRole = "*";

/** What rules and gates call every caller with a valid credential, regardless of the role in it. */
export const signedInRole = "signed_in";

/** The role of a caller without a credential. A credential may say it as well: anyone who sends one is signed in. */
export const guestRole = "guest";

/** The role of anyone who registers. */
export const registeredRole = "user";

/** Roles that look after the accounts of others, and rate limits. */
export const administratorRoles: readonly string[] = ["admin", "system", "superadmin"];

/** Whether a rule for one role admits all whom a rule for the other one does. */
export function coversRole(wide: string, narrow: string): boolean {
  if (wide === narrow || wide === everyRole) return true;
  return wide === signedInRole && narrow !== everyRole && narrow !== guestRole;
}

/** Whether a name of rules represents several roles, so that no credential and no account has it as its role. */
export function isRoleOfMany(role: string): boolean {
  return role === everyRole || role === signedInRole;
}
