import pg from "pg";
import { BoundedCache } from "../../concurrency/index.ts";
import type { Database, Queryable } from "../../database/index.ts";
import { ServiceError } from "../../errors/index.ts";
import { type Blacklist, type RevokedToken, type StatedQuestion, unavailable } from "./blacklist.ts";

const look = {
  name: "kirak_auth_blacklist_has",
  text: "select 1 from auth_token_blacklist where jti = $1 and expires_at > now()",
};

/**
 * The same, but it fails where there is such a row, with a text that is no number: so nothing behind it in its exchange is run. It may be
 * read in PostgreSQL's own log.
 */
const refuse = {
  name: "kirak_auth_blacklist_refuse",
  text: `select ('this access token was revoked' || left(jti, 0))::integer
from auth_token_blacklist where jti = $1 and expires_at > now()`,
};
const invalidText = "22P02";
const revoked = new ServiceError("TOKEN_REVOKED");

/** The advisory lock that each revocation shares until its transaction ends: see `fill`. */
export const revocations = "hashtextextended('kirak_auth_token_blacklist', 0)";

const insert = {
  name: "kirak_auth_blacklist_add",
  text: `with held as materialized (select pg_advisory_xact_lock_shared(${revocations}))
insert into auth_token_blacklist (jti, expires_at)
select $1, expires_at from held, to_timestamp($2::double precision) as expires_at where expires_at > now()
on conflict (jti) do nothing`,
};

/** The blacklist of a service without Redis: the table `auth_token_blacklist`. Expired rows are skipped, by its clock. */
export class PostgresBlacklist implements Blacklist {
  readonly #database: Database;
  /** Known ones: they are good no more, and whoever goes on sending one costs PostgreSQL nothing, nor its owner a place in the pool. */
  readonly #revoked = new BoundedCache<ServiceError>({ entries: 10_000 });

  constructor(database: Database) {
    this.#database = database;
  }

  async has(jti: string, connection: Queryable = this.#database): Promise<boolean> {
    try {
      const isRevoked = (await connection.run(look, [jti])).length > 0;
      if (isRevoked) this.#revoked.add(jti, revoked);
      return isRevoked;
    } catch (error) {
      throw unavailable(error);
    }
  }

  question(jti: string): StatedQuestion {
    if (this.#revoked.get(jti) !== undefined) throw revoked;
    return { statement: refuse, values: [jti], refusal: (error) => this.#refusal(jti, error) };
  }

  async add({ jti, exp }: RevokedToken, connection: Queryable = this.#database): Promise<void> {
    try {
      await connection.run(insert, [jti, exp]);
    } catch (error) {
      throw unavailable(error);
    }
  }

  #refusal(jti: string, error: Error): ServiceError {
    const isRevoked = error instanceof pg.DatabaseError && error.code === invalidText;
    return isRevoked ? this.#revoked.add(jti, revoked) : unavailable(error);
  }
}
