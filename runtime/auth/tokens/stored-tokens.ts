import { type KeyObject, randomUUID } from "node:crypto";
import type { Queryable, Statement } from "../../database/index.ts";
import { hashOf } from "../crypto/hash.ts";
import { type ClaimsOf, readToken, signToken } from "./access-token.ts";

const good = (type: string) =>
  `token_hash = $1 and token_type = '${type}' and user_id = $2 and expires_at > now()`;

/**
 * The tokens of one type in `auth_tokens`: who has one has the token, the table has its hash. Each is good once. Whoever
 * calls what writes holds the lock on the user's row.
 */
export class StoredTokens {
  readonly #insert;
  readonly #find: Statement;
  readonly #consume;

  constructor(type: "refresh" | "password_reset" | "web_auth") {
    this.#insert = {
      name: `kirak_auth_${type}_insert`,
      text: `insert into auth_tokens (user_id, token_type, token_hash, expires_at)
values ($1, '${type}', $2, to_timestamp($3))`,
    };
    this.#find = {
      name: `kirak_auth_${type}_find`,
      text: `select id from auth_tokens where ${good(type)}`,
      reads: true,
    };
    this.#consume = {
      name: `kirak_auth_${type}_consume`,
      text: `delete from auth_tokens where ${good(type)} returning id`,
    };
  }

  /** Stores a token until it expires, at `exp` seconds. */
  async store(connection: Queryable, userId: string, token: string, exp: number): Promise<void> {
    await connection.run(this.#insert, [userId, hashOf(token), exp]);
  }

  /** Whether a token was issued to the user and is neither used nor expired. */
  async isGood(connection: Queryable, userId: string, token: string): Promise<boolean> {
    return (await connection.run(this.#find, [hashOf(token), userId])).length === 1;
  }

  /** Uses a token up; false when it was used, revoked or has expired, or somebody was quicker. */
  async consume(connection: Queryable, userId: string, token: string): Promise<boolean> {
    return (await connection.run(this.#consume, [hashOf(token), userId])).length === 1;
  }
}

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
