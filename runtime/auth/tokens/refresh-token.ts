import { type KeyObject, randomUUID } from "node:crypto";
import type { Queryable, Statement } from "../../database/index.ts";
import { hashOf } from "../crypto/hash.ts";
import { type ClaimsOf, readToken, signToken } from "./jwt.ts";
import { StoredTokens } from "./stored-tokens.ts";

const kind = { type: "refresh", texts: ["sub", "jti"] } as const;

const owner: Statement = {
  name: "kirak_auth_refresh_owner",
  text: "select user_id from auth_tokens where token_hash = $1 and token_type = 'refresh' and expires_at > now()",
  reads: true,
};
const removeOthers = {
  name: "kirak_auth_refresh_others",
  text: "delete from auth_tokens where user_id = $1 and token_type = 'refresh' and token_hash <> $2 returning id",
};
const removeAll = {
  name: "kirak_auth_refresh_all",
  text: "delete from auth_tokens where user_id = $1 and token_type = 'refresh' returning id",
};

/**
 * Refresh tokens (contract: "Tokens"). The client has the token, `auth_tokens` its hash. Whoever calls the methods that
 * write holds the lock on the user's row, so that nothing revives a session that is being ended.
 */
export class RefreshTokens {
  readonly #key: KeyObject;
  readonly #lifetime: number;
  readonly #stored = new StoredTokens(kind.type);

  /** `lifetime` is in seconds. */
  constructor(key: KeyObject, lifetime: number) {
    this.#key = key;
    this.#lifetime = lifetime;
  }

  /** Stores and gives a new token. `now` is in milliseconds. */
  async issue(connection: Queryable, userId: string, now: number): Promise<string> {
    const iat = Math.floor(now / 1000);
    const exp = iat + this.#lifetime;
    // The random `jti` makes tokens of one second different.
    const claims: ClaimsOf<typeof kind> = { sub: userId, jti: randomUUID(), type: "refresh", iat, exp };
    const token = signToken(claims, this.#key);
    await this.#stored.store(connection, userId, token, exp);
    return token;
  }

  /** The user that a token says it is for. Errors: `TOKEN_EXPIRED`, `INVALID_TOKEN`. */
  subjectOf(token: string, now: number): string {
    return readToken(token, kind, this.#key, now).sub;
  }

  /** Uses a token up; false when it was used, revoked or has expired. */
  consume(connection: Queryable, userId: string, token: string): Promise<boolean> {
    return this.#stored.consume(connection, userId, token);
  }

  /** The user whose token this is, or null. */
  async ownerOf(connection: Queryable, token: string): Promise<string | null> {
    const [row] = await connection.run(owner, [hashOf(token)]);
    return row?.[0] ?? null;
  }

  /** Ends the user's other sessions. Gives how many. */
  async removeOthers(connection: Queryable, userId: string, token: string): Promise<number> {
    return (await connection.run(removeOthers, [userId, hashOf(token)])).length;
  }

  /** Ends all sessions of the user. Gives how many. */
  async removeAll(connection: Queryable, userId: string): Promise<number> {
    return (await connection.run(removeAll, [userId])).length;
  }
}
