import type { Queryable, Statement } from "../../database/index.ts";
import { hashOf } from "../crypto/hash.ts";

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
