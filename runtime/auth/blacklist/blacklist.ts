import { classifyDatabaseError, type Queryable } from "../../database/index.ts";
import { notNow, retryLater, retrySoon, ServiceError } from "../../errors/index.ts";
import type { AccessClaims } from "../tokens/access-token.ts";
import type { Credentials } from "../tokens/stamped-ids.ts";

/** What the blacklist holds until a moment, in seconds: the `jti` of an access token, or an account (`accountEntry`). */
export interface BlacklistEntry {
  readonly jti: string;
  readonly exp: number;
}

/** What the look-up of a token needs of its claims. */
export type LookedUp = Pick<AccessClaims, "jti" | "sub" | "iat">;

/** Whether a token was issued with the present credentials of its account. */
export type IsCurrent = (token: LookedUp, account: Credentials) => boolean;

/** The access tokens that were revoked before they expired. See `docs/auth.md#tokens`. */
export interface Blacklist {
  /**
   * Whether the token is revoked: by its `jti`, or with its account, unless it was issued with the present credentials. Rejects with
   * `AUTH_UNAVAILABLE` when the store cannot tell. One round trip, and a second one while the account has an entry. With a connection,
   * as its transaction sees the table, which every revocation is written to.
   */
  has(token: LookedUp, connection?: Queryable): Promise<boolean>;
  /** Whether this process knows the token to be revoked, so that no look-up is needed. */
  knows(jti: string): boolean;
  /**
   * Adds an entry, or prolongs it; one that has expired is left out. With a connection, in its transaction. Rejects with
   * `AUTH_UNAVAILABLE` when it cannot be written.
   */
  add(entry: BlacklistEntry, connection?: Queryable): Promise<void>;
}

/** The name of the entry that revokes the access tokens of an account. */
export function accountEntry(userId: string): string {
  // PostgreSQL takes no NUL, and no account has an id with one.
  return `user:${userId.replaceAll("\0", "")}`;
}

/** Where too many wait for the database. One for all, as `tooMuchToDo`. */
const tooManyAsk = new ServiceError("AUTH_UNAVAILABLE", undefined, undefined, { headers: retrySoon });

/** The error of a blacklist that cannot be read or written: the request must be refused, and nothing was done. */
export function unavailable(cause: unknown): ServiceError {
  const kind = classifyDatabaseError(cause)?.kind;
  if (kind === "too_many") return tooManyAsk;
  const lost = kind === "lost_answer" ? notNow(kind, cause) : null;
  return lost ?? new ServiceError("AUTH_UNAVAILABLE", undefined, undefined, { headers: retryLater, cause });
}
