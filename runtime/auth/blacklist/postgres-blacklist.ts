import type { Database, Queryable } from "../../database/index.ts";
import { type Blacklist, type RevokedToken, unavailable } from "./blacklist.ts";

const look = {
  name: "kirak_auth_blacklist_has",
  text: "SELECT 1 FROM auth_token_blacklist WHERE jti = $1 AND expires_at > now()",
};

/** The advisory lock that each revocation shares until its transaction ends: see `fill`. */
export const revocations = "hashtextextended('kirak_auth_token_blacklist', 0)";

const insert = {
  name: "kirak_auth_blacklist_add",
  text: `WITH held AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(${revocations}))
INSERT INTO auth_token_blacklist (jti, expires_at)
SELECT $1, expires_at FROM held, to_timestamp($2::double precision) AS expires_at WHERE expires_at > now()
ON CONFLICT (jti) DO NOTHING`,
};

/** The blacklist of a service without Redis: the table `auth_token_blacklist`. Expired rows are skipped, by its clock. */
export class PostgresBlacklist implements Blacklist {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async has(jti: string, connection: Queryable = this.#database): Promise<boolean> {
    try {
      return (await connection.run(look, [jti])).length > 0;
    } catch (error) {
      throw unavailable(error);
    }
  }

  async add({ jti, exp }: RevokedToken, connection: Queryable = this.#database): Promise<void> {
    try {
      await connection.run(insert, [jti, exp]);
    } catch (error) {
      throw unavailable(error);
    }
  }
}
