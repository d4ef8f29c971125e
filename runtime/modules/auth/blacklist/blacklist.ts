import { BoundedCache } from "../../../core/concurrency/index.ts";
import {
  classifyDatabaseError,
  type Database,
  type Queryable,
  type Statement,
} from "../../../core/database/index.ts";
import { databaseUnavailable, retryLater, retrySoon, ServiceError } from "../../../core/errors/index.ts";
import type { AccessClaims } from "../tokens/access-token.ts";
import { type Credentials, sessionIdOf } from "../tokens/token-ids.ts";
import { findUser } from "../users/users-table.ts";

/**
 * An entry until `exp`, in seconds. `jti` is the id of an access token, or the entry of a session or account.
 */
export interface BlacklistEntry {
  readonly jti: string;
  readonly exp: number;
}

/** The claims that the lookup of a token needs. */
export type TokenLookupClaims = Pick<AccessClaims, "jti" | "sub" | "iat">;

/** Whether a token was issued with the present credentials of its account. */
export type IsCurrent = (token: TokenLookupClaims, account: Credentials) => boolean;

/** The access tokens that were revoked before they expired. See `docs/credentials.md#tokens`. */
export interface Blacklist {
  /**
   * Whether the token is revoked: by its `jti`, by its session, or because its account has an entry and newer
   * credentials.
   * Takes a second round trip while the account has an entry. With a connection, it reads the table in that
   * transaction. Errors: `AUTH_UNAVAILABLE`.
   */
  has(token: TokenLookupClaims, connection?: Queryable): Promise<boolean>;
  /** Whether this process knows that the token is revoked, so that no lookup is needed. */
  knows(jti: string): boolean;
  /**
   * Adds entries or extends them; ignores expired ones. With a connection, it writes in that transaction.
   * Errors: `AUTH_UNAVAILABLE`.
   */
  add(entries: readonly BlacklistEntry[], connection?: Queryable): Promise<void>;
}

/** The name of the entry that revokes the access tokens of an account. */
export function accountEntry(userId: string): string {
  // PostgreSQL rejects NUL, and no account has an id with it.
  return `user:${userId.replaceAll("\0", "")}`;
}

/** The name of the entry that revokes the access tokens of a session. */
export function sessionEntry(sessionId: string): string {
  return `session:${sessionId}`;
}

/** The entries that revoke a token, except for that of its account. */
export function ownEntries({ jti }: TokenLookupClaims): readonly string[] {
  const session = sessionIdOf(jti);
  return session === null ? [jti] : [jti, sessionEntry(session)];
}

/** The error if too many requests wait for the database. Shared, like `overloadError`. */
const tooManyAsk = new ServiceError("AUTH_UNAVAILABLE", undefined, undefined, { headers: retrySoon });

/** Returns the error for a blacklist that cannot be read or written. The request must be refused. */
export function unavailable(cause: unknown): ServiceError {
  const kind = classifyDatabaseError(cause)?.kind;
  if (kind === "too_many") return tooManyAsk;
  const lost = kind === "lost_answer" ? databaseUnavailable(kind, cause) : null;
  return lost ?? new ServiceError("AUTH_UNAVAILABLE", undefined, undefined, { headers: retryLater, cause });
}

const look: Statement = {
  name: "kirak_auth_blacklist_has",
  text: "select jti from auth_token_blacklist where jti in ($1, $2, $3) and expires_at > now()",
  reads: true,
};

/** The advisory lock that each revocation shares until its transaction ends: see `fill`. */
export const revocations = "hashtextextended('kirak_auth_token_blacklist', 0)";

const insert = {
  name: "kirak_auth_blacklist_add",
  text: `with held as materialized (select pg_advisory_xact_lock_shared(${revocations}))
insert into auth_token_blacklist (jti, expires_at)
select jti, to_timestamp(exp) from held, unnest($1::text[], $2::double precision[]) as entry (jti, exp)
where to_timestamp(exp) > now()
on conflict (jti) do update set expires_at = greatest(auth_token_blacklist.expires_at, excluded.expires_at)`,
};

/** The blacklist without Redis: the table `auth_token_blacklist`. Rows expire by PostgreSQL's clock. */
export class PostgresBlacklist implements Blacklist {
  readonly #database: Database;
  readonly #isCurrent: IsCurrent;
  /** Revoked tokens that clients keep sending, so that they need no query. */
  readonly #revoked = new BoundedCache<TokenLookupClaims>({ entries: 10_000 });

  constructor(database: Database, isCurrent: IsCurrent) {
    this.#database = database;
    this.#isCurrent = isCurrent;
  }

  async has(token: TokenLookupClaims, connection: Queryable = this.#database): Promise<boolean> {
    const account = accountEntry(token.sub);
    const [jti = "", session = null] = ownEntries(token);
    try {
      const rows = await connection.run(look, [account, jti, session]);
      if (rows.length === 0) return false;
      const isRevoked =
        rows.some(([found]) => found !== account) || !(await this.#isOfPresent(token, connection));
      if (isRevoked) this.#revoked.add(jti, token);
      return isRevoked;
    } catch (error) {
      throw unavailable(error);
    }
  }

  knows(jti: string): boolean {
    return this.#revoked.get(jti) !== undefined;
  }

  async add(entries: readonly BlacklistEntry[], connection: Queryable = this.#database): Promise<void> {
    if (entries.length === 0) return;
    try {
      await connection.run(insert, [entries.map(({ jti }) => jti), entries.map(({ exp }) => exp)]);
    } catch (error) {
      throw unavailable(error);
    }
  }

  /** Whether a token has the current credentials of its account. Needed only if the account has an entry. */
  async #isOfPresent(token: TokenLookupClaims, connection: Queryable): Promise<boolean> {
    const account = await findUser(connection, token.sub);
    return account !== null && this.#isCurrent(token, account);
  }
}
