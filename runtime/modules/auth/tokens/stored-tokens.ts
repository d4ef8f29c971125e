import { type KeyObject, randomUUID } from "node:crypto";
import type { Queryable, Statement } from "../../../core/database/index.ts";
import { hashOf } from "../crypto/hash.ts";
import { type ClaimsOf, readToken, signToken, type TokenKind } from "./access-token.ts";

type StoredType = "refresh" | "password_reset" | "web_auth";
type StoredClaims<Type extends StoredType> = ClaimsOf<TokenKind<Type, "sub" | "jti">>;

const good = (type: string) =>
  `token_hash = $1 and token_type = '${type}' and user_id = $2 and expires_at > now()`;

/**
 * The single-use tokens of one type. `auth_tokens` has only their hashes. Methods that write need the lock on
 * the user's row. `now` is in milliseconds.
 */
export class StoredTokens<Type extends StoredType> {
  readonly #kind: TokenKind<Type, "sub" | "jti">;
  readonly #key: KeyObject;
  readonly #lifetime: number;
  readonly #insert;
  readonly #find: Statement;
  readonly #consume;

  /** `lifetime` is in seconds. */
  constructor(type: Type, key: KeyObject, lifetime: number) {
    this.#kind = { type, texts: ["sub", "jti"] };
    this.#key = key;
    this.#lifetime = lifetime;
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

  /** Stores and returns a new token. The random part of its `jti` makes tokens of one second different. */
  async issue(
    connection: Queryable,
    userId: string,
    now: number,
    jti: string = randomUUID(),
  ): Promise<string> {
    const iat = Math.floor(now / 1000);
    const exp = iat + this.#lifetime;
    const claims = { sub: userId, jti, type: this.#kind.type, iat, exp };
    const token = signToken(claims, this.#key);
    await connection.run(this.#insert, [userId, hashOf(token), exp]);
    return token;
  }

  /** Returns the claims of a token of this type. Errors: `TOKEN_EXPIRED`, `INVALID_TOKEN`. */
  claimsOf(token: string, now: number): StoredClaims<Type> {
    return readToken(token, this.#kind, this.#key, now);
  }

  /** Whether a token was issued to the user and is neither used nor expired. */
  async isGood(connection: Queryable, userId: string, token: string): Promise<boolean> {
    return (await connection.run(this.#find, [hashOf(token), userId])).length === 1;
  }

  /** Uses a token up. Returns false if it was already used, was revoked or has expired. */
  async consume(connection: Queryable, userId: string, token: string): Promise<boolean> {
    return (await connection.run(this.#consume, [hashOf(token), userId])).length === 1;
  }
}

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

/** Refresh tokens. With the lock on the user's row, no request renews a session that another request ends. */
export class RefreshTokens extends StoredTokens<"refresh"> {
  constructor(key: KeyObject, lifetime: number) {
    super("refresh", key, lifetime);
  }

  /** Returns the id of the token's user, or null. */
  async ownerOf(connection: Queryable, token: string): Promise<string | null> {
    const [row] = await connection.run(owner, [hashOf(token)]);
    return row?.[0] ?? null;
  }

  /** Ends the user's other sessions. Returns their number. */
  async removeOthers(connection: Queryable, userId: string, token: string): Promise<number> {
    return (await connection.run(removeOthers, [userId, hashOf(token)])).length;
  }

  /** Ends all sessions of the user. Returns their number. */
  async removeAll(connection: Queryable, userId: string): Promise<number> {
    return (await connection.run(removeAll, [userId])).length;
  }
}
