import { randomUUID } from "node:crypto";
import type { SecretKeys } from "../../../core/config/index.ts";
import type { Queryable, Statement } from "../../../core/database/index.ts";
import { hashOf } from "../crypto/hash.ts";
import { type ClaimsOf, readToken, signToken, type TokenKind } from "./access-token.ts";

type StoredType = "password_reset" | "web_auth" | "invitation";
type StoredClaims<Type extends StoredType> = ClaimsOf<TokenKind<Type, "sub" | "jti">>;

/** A row of `auth_tokens` that was deleted. */
export interface DeletedToken {
  readonly hash: string;
  readonly type: string;
  readonly isExpired: boolean;
}

/** The number of sessions that ended with these rows. A session whose refresh token has expired had ended before. */
export function endedSessions(deleted: readonly DeletedToken[]): number {
  return deleted.filter(({ type, isExpired }) => type === "refresh" && !isExpired).length;
}

/** Returns a function that deletes rows of `auth_tokens`, and the sessions of refresh tokens among them. */
export function deletion(name: string, where: string) {
  const text = `with gone as (delete ${where} returning token_hash, token_type, session_id, expires_at),
ended as (delete from auth_sessions where id in (select session_id from gone))
select token_hash, token_type, expires_at <= now() from gone`;
  const statement = { name: `kirak_auth_delete_${name}`, text };
  return async (connection: Queryable, ...values: readonly (string | null)[]): Promise<DeletedToken[]> => {
    const rows = await connection.run(statement, values);
    return rows.map(([hash, type, isExpired]) => ({
      hash: hash ?? "",
      type: type ?? "",
      isExpired: isExpired === "t",
    }));
  };
}

const good = (type: string) =>
  `token_hash = $1 and token_type = '${type}' and user_id = $2 and expires_at > now()`;

/**
 * The single-use tokens of one type. `auth_tokens` has only their hashes. Methods that write need the lock on
 * the user's row. `now` is in milliseconds.
 */
export class StoredTokens<Type extends StoredType> {
  readonly #kind: TokenKind<Type, "sub" | "jti">;
  readonly #keys: SecretKeys;
  readonly #lifetime: number;
  readonly #insert;
  readonly #find: Statement;
  readonly #consume;

  /** `lifetime` is in seconds. */
  constructor(type: Type, keys: SecretKeys, lifetime: number) {
    this.#kind = { type, texts: ["sub", "jti"] };
    this.#keys = keys;
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
    const token = signToken(claims, this.#keys);
    await connection.run(this.#insert, [userId, hashOf(token), exp]);
    return token;
  }

  /** Returns the claims of a token of this type. Errors: `TOKEN_EXPIRED`, `INVALID_TOKEN`. */
  claimsOf(token: string, now: number): StoredClaims<Type> {
    return readToken(token, this.#kind, { keys: this.#keys, longest: this.#lifetime }, now);
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
