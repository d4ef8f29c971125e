import { BoundedCache } from "../../concurrency/index.ts";
import type { Database, Queryable, Statement } from "../../database/index.ts";
import { findUser } from "../users/users-table.ts";
import {
  accountEntry,
  type Blacklist,
  type BlacklistEntry,
  type IsCurrent,
  type LookedUp,
  unavailable,
} from "./blacklist.ts";

const look: Statement = {
  name: "kirak_auth_blacklist_has",
  text: "select jti from auth_token_blacklist where jti in ($1, $2) and expires_at > now()",
  reads: true,
};

/** The advisory lock that each revocation shares until its transaction ends: see `fill`. */
export const revocations = "hashtextextended('kirak_auth_token_blacklist', 0)";

const insert = {
  name: "kirak_auth_blacklist_add",
  text: `with held as materialized (select pg_advisory_xact_lock_shared(${revocations}))
insert into auth_token_blacklist (jti, expires_at)
select $1, expires_at from held, to_timestamp($2::double precision) as expires_at where expires_at > now()
on conflict (jti) do update set expires_at = greatest(auth_token_blacklist.expires_at, excluded.expires_at)`,
};

/** The blacklist of a service without Redis: the table `auth_token_blacklist`. Expired rows are skipped, by its clock. */
export class PostgresBlacklist implements Blacklist {
  readonly #database: Database;
  readonly #isCurrent: IsCurrent;
  /** A client that goes on sending a revoked token costs PostgreSQL nothing, nor its owner a place in the pool. */
  readonly #revoked = new BoundedCache<LookedUp>({ entries: 10_000 });

  constructor(database: Database, isCurrent: IsCurrent) {
    this.#database = database;
    this.#isCurrent = isCurrent;
  }

  async has(token: LookedUp, connection: Queryable = this.#database): Promise<boolean> {
    const { jti, sub } = token;
    try {
      const rows = await connection.run(look, [jti, accountEntry(sub)]);
      if (rows.length === 0) return false;
      const isRevoked =
        rows.some(([found]) => found === jti) || !(await this.#isOfPresent(token, connection));
      if (isRevoked) this.#revoked.add(jti, token);
      return isRevoked;
    } catch (error) {
      throw unavailable(error);
    }
  }

  knows(jti: string): boolean {
    return this.#revoked.get(jti) !== undefined;
  }

  async add({ jti, exp }: BlacklistEntry, connection: Queryable = this.#database): Promise<void> {
    try {
      await connection.run(insert, [jti, exp]);
    } catch (error) {
      throw unavailable(error);
    }
  }

  /** Whether a token has the present credentials of its account. The account is read only while that has an entry. */
  async #isOfPresent(token: LookedUp, connection: Queryable): Promise<boolean> {
    const account = await findUser(connection, token.sub);
    return account !== null && this.#isCurrent(token, account);
  }
}
