/** Who is calling: the claims of the access token, or a guest (contract: "Request authentication rules"). */
export interface Principal {
  /** Null for a guest. */
  readonly user_id: string | null;
  readonly role: string;
  readonly email: string | null;
}

/** The principal of a request without a credential. */
export const guest: Principal = Object.freeze({ user_id: null, role: "guest", email: null });
