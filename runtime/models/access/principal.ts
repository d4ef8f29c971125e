import { everyRole, guestRole, signedInRole } from "../../../vocabulary/accounts/role-names.ts";

/** Who is calling: the claims of the access token, or a guest (contract: "Request authentication rules"). */
export interface Principal {
  /** Null for a guest. */
  readonly user_id: string | null;
  readonly role: string;
  readonly email: string | null;
}

/** The principal of a request without a credential. */
export const guest: Principal = Object.freeze({ user_id: null, role: guestRole, email: null });

/** Whose share of a bounded resource a request counts in: that of its user, else of its client's network. */
export function shareOf({ user_id }: Pick<Principal, "user_id">, address: string): string {
  return user_id === null ? `address ${address}` : `user ${user_id}`;
}

/** What decides which rules and gates hold for a caller. */
export type Standing = Pick<Principal, "user_id" | "role">;

/** Whether a caller came with a credential, also one that says the role `guest`. */
export function isSignedIn({ user_id }: Pick<Principal, "user_id">): boolean {
  return user_id !== null;
}

/** Whether a rule or a gate for this role is one for the caller. */
export function isFor(role: string, caller: Standing): boolean {
  return role === everyRole || role === caller.role || (role === signedInRole && isSignedIn(caller));
}
