import { randomUUID } from "node:crypto";
import type { Queryable, Statement } from "../../../core/database/index.ts";
import { hashOf } from "../crypto/hash.ts";
import { readToken, signToken, type TokenKeys } from "./access-token.ts";
import { deletion } from "./stored-tokens.ts";

const kind = { type: "refresh", texts: ["sub", "jti"] } as const;
const good = "token_hash = $1 and token_type = 'refresh' and token.expires_at > now()";

const insert = {
  name: "kirak_auth_refresh_insert",
  text: `insert into auth_tokens (user_id, token_type, token_hash, expires_at, session_id)
values ($1, 'refresh', $2, to_timestamp($3), $4)`,
};
const find: Statement = {
  name: "kirak_auth_refresh_find",
  text: `select token.user_id, session_id, extract(epoch from coalesce(session.created_at, token.created_at)) * 1000
from auth_tokens as token left join auth_sessions as session on session.id = session_id where ${good}`,
  reads: true,
};
const replace = {
  name: "kirak_auth_refresh_replace",
  text: `with used as (delete from auth_tokens as token where ${good} returning user_id)
insert into auth_tokens (user_id, token_type, token_hash, expires_at, session_id)
select user_id, 'refresh', $2, to_timestamp($3), $4 from used`,
};
const remove = deletion("session", `from auth_tokens as token where ${good}`);
const removeOthers = deletion(
  "other_sessions",
  "from auth_tokens where user_id = $1 and token_type = 'refresh' and token_hash <> $2",
);
const removeAll = deletion("sessions_only", "from auth_tokens where user_id = $1 and token_type = 'refresh'");

/** A stored refresh token. */
export interface StoredRefreshToken {
  readonly userId: string;
  /** Null for a token from before version 0.2, until it is used. */
  readonly sessionId: string | null;
  /** When its session began, in milliseconds. */
  readonly createdAt: number;
}

/** A new refresh token for a session. `expiresAt` is in seconds. */
interface NewRefreshToken {
  readonly userId: string;
  readonly sessionId: string;
  readonly expiresAt: number;
}

/**
 * Refresh tokens, of which `auth_tokens` has the hashes. A session has one at a time. With the lock on the
 * user's row, no request renews a session that another request ends. `now` is in milliseconds.
 */
export class RefreshTokens {
  readonly #keys: TokenKeys;

  constructor(keys: TokenKeys) {
    this.#keys = keys;
  }

  /** Stores and returns the first token of a session. */
  async issue(transaction: Queryable, token: NewRefreshToken, now: number): Promise<string> {
    const text = this.#sign(token, now);
    await transaction.run(insert, [token.userId, hashOf(text), token.expiresAt, token.sessionId]);
    return text;
  }

  /** Uses up the present token of a session and returns the next one. */
  async replace(
    transaction: Queryable,
    present: string,
    next: NewRefreshToken,
    now: number,
  ): Promise<string> {
    const text = this.#sign(next, now);
    await transaction.run(replace, [hashOf(present), hashOf(text), next.expiresAt, next.sessionId]);
    return text;
  }

  /** Returns the id of a token's user. Errors: `TOKEN_EXPIRED`, `INVALID_TOKEN`. */
  subjectOf(token: string, now: number): string {
    return readToken(token, kind, this.#keys, now).sub;
  }

  /** Returns a token that is neither used nor expired, or null. */
  async find(connection: Queryable, token: string): Promise<StoredRefreshToken | null> {
    const [row] = await connection.run(find, [hashOf(token)]);
    if (row === undefined) return null;
    const [userId, sessionId, createdAt] = row;
    return { userId: userId ?? "", sessionId: sessionId ?? null, createdAt: Number(createdAt) };
  }

  /** Ends the session of a token. Returns the number of ended sessions. */
  async remove(transaction: Queryable, token: string): Promise<number> {
    return (await remove(transaction, hashOf(token))).length;
  }

  /** Ends the user's other sessions. Returns their number. */
  async removeOthers(transaction: Queryable, userId: string, token: string): Promise<number> {
    return (await removeOthers(transaction, userId, hashOf(token))).length;
  }

  /** Ends all sessions of the user. Returns their number. */
  async removeAll(transaction: Queryable, userId: string): Promise<number> {
    return (await removeAll(transaction, userId)).length;
  }

  /** The random `jti` makes tokens of one second different. */
  #sign({ userId: sub, expiresAt: exp }: NewRefreshToken, now: number): string {
    const claims = { sub, jti: randomUUID(), type: kind.type, iat: Math.floor(now / 1000), exp };
    return signToken(claims, this.#keys.keys);
  }
}
