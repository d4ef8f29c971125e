/** A name in rules and gates for every caller, including guests. */
export const everyRole = "*";

/** A name in rules and gates for every caller with a valid credential, in any role. */
export const signedInRole = "signed_in";

/** The role of a caller without a credential. A credential can have it too; its caller is signed in. */
export const guestRole = "guest";

/** The role of users who register. */
export const registeredRole = "user";

/** Roles that manage accounts of other users, and rate limits. */
export const administratorRoles: readonly string[] = ["admin", "system", "superadmin"];

/** In `access.fields` of `users`: the owner of the account. No credential and no account can have it. */
export const selfRole = "self";

/** Whether a rule for the role `wide` admits every caller with the role `narrow`. */
export function coversRole(wide: string, narrow: string): boolean {
  if (wide === narrow || wide === everyRole) return true;
  return wide === signedInRole && narrow !== everyRole && narrow !== guestRole;
}

/** Whether a name in rules means several roles. */
export function isGroupRole(role: string): boolean {
  return role === everyRole || role === signedInRole;
}

/** Whether a name in rules is no role of a credential or an account. */
export function isReservedRole(role: string): boolean {
  return isGroupRole(role) || role === selfRole;
}

/** Why no credential and no account can have a reserved role, for messages. */
export function reservedRoleText(role: string): string {
  return `"${role}" stands for ${role === selfRole ? "the owner of the account" : "several roles"} in access rules`;
}
