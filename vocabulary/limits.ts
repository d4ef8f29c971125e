/** How many requests are let through in a window (contract: "Rate limiting (CRUD and auth)"). */
export interface Limit {
  readonly maxRequests: number;
  readonly windowSeconds: number;
}

/** What an operation of a model is counted by: the caller's address, the user, or nothing. */
export type CountedPer = "ip" | "user" | "model";
