/** What rules and gates call every caller, guests too. */
export const everyRole = "*";

/** What rules and gates call every caller with a valid credential, whatever the role in it. */
export const signedIn = "signed_in";

/** The role of a caller without a credential. A credential may say it as well: whoever sends one is signed in. */
export const guestRole = "guest";

/** Whether a name of rules stands for several roles, so that no credential and no account has it as its role. */
export function isRoleOfMany(role: string): boolean {
  return role === everyRole || role === signedIn;
}
