import { classifyDatabaseError, type Precondition, type Queryable } from "../../database/index.ts";
import { retryLater, retrySoon, ServiceError } from "../../errors/index.ts";

/** An access token that is good no longer. `exp` is its own claim, in seconds. */
export interface RevokedToken {
  readonly jti: string;
  readonly exp: number;
}

/** Whether a token was revoked, as a statement that fails where it was. */
export type StatedQuestion = Omit<Precondition, "held">;

/** The access tokens that were revoked before they expired (contract: "Request authentication rules", 6 and 9). */
export interface Blacklist {
  /**
   * Whether the token was revoked. Rejects with `AUTH_UNAVAILABLE` when the store cannot tell. One round trip. With a
   * connection, as its transaction sees the table, which every revocation is written to.
   */
  has(jti: string, connection?: Queryable): Promise<boolean>;
  /** The same question for a statement that is to be run only where the token was not revoked. Null where another store is asked. Error: `TOKEN_REVOKED` where that is known. */
  question(jti: string): StatedQuestion | null;
  /**
   * Revokes until the moment at which the token expires; one that has expired is left alone. With a connection, in its
   * transaction. Rejects with `AUTH_UNAVAILABLE` when it cannot be written.
   */
  add(token: RevokedToken, connection?: Queryable): Promise<void>;
}

/** Where too many wait for the database. One for all, as `tooMuchToDo`. */
const tooManyAsk = new ServiceError("AUTH_UNAVAILABLE", undefined, undefined, { headers: retrySoon });

/** What a blacklist that cannot tell, or cannot write, answers: whoever asks must refuse. */
export function unavailable(cause: unknown): ServiceError {
  if (classifyDatabaseError(cause)?.kind === "too_many") return tooManyAsk;
  return new ServiceError("AUTH_UNAVAILABLE", undefined, undefined, { headers: retryLater, cause });
}
